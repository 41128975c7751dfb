# Runs a formula as Homebrew does: ruby formula.rb FILE SOURCE_FOLDER PREFIX
# What formulae call is stood for here, as far as ours does.
require "fileutils"
require "pathname"

class Pathname
  def install(*files)
    mkpath
    files.each { |file| FileUtils.cp(file, self) }
  end

  def install_symlink(_links); end
end

module OS
  def self.mac? = false
end

ENV.singleton_class.define_method(:cc) { ENV.fetch("CC", "cc") }

class Formula
  class << self
    attr_reader :test_block, :fields

    def test(&block) = @test_block = block

    def method_missing(name, *values)
      known = %i[desc homepage url sha256 license depends_on uses_from_macos conflicts_with]
      known.include?(name) or raise "unknown: #{name}"
      (@fields ||= {})[name] = values
    end

    def respond_to_missing?(*) = true
  end

  attr_reader :prefix, :testpath

  def initialize(prefix)
    @prefix = Pathname(prefix)
    @testpath = Pathname("#{prefix}-test")
    @testpath.mkpath
  end

  def bin = prefix/"bin"
  def include = prefix/"include"
  def lib = prefix/"lib"
  def std_cmake_args = ["-DCMAKE_INSTALL_PREFIX=#{prefix}", "-DCMAKE_INSTALL_LIBDIR=lib"]

  def system(*command)
    Kernel.system(*command.map(&:to_s)) or raise "failed: #{command.join(" ")}"
  end

  def shell_output(command)
    text = `#{command}`
    $?.success? or raise "failed: #{command}"
    text
  end

  def assert_match(text, output)
    output.include?(text) or raise "no '#{text}' in: #{output}"
  end
end

file, source, prefix = ARGV
load file
formula = Csmo.new(prefix)
Dir.chdir(source) { formula.install }
ENV["LD_LIBRARY_PATH"] = (formula.lib).to_s
Dir.chdir(formula.testpath) { formula.instance_eval(&Csmo.test_block) }
puts Csmo.fields[:url]
