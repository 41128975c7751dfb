# For a release, packaging/README.md explains how url and sha256 are set.
class Csmo < Formula
  desc "Support vector machines, compatible with LIBSVM"
  homepage "file://#{File.expand_path("../..", __dir__)}"
  url "file://#{File.expand_path("../../build/csmo-1.0.0.tar.gz", __dir__)}"
  license "BSD-3-Clause"

  depends_on "cmake" => :build

  uses_from_macos "python"

  conflicts_with "libsvm", because: "both install svm-train and libsvm"

  def install
    system "cmake", "-S", ".", "-B", "build", "-DSVM_BUILD_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
    # Formulae that need LIBSVM look here.
    include.install "svm.h", "svm_ext.h"
    lib.install_symlink "libsvm.4.dylib" => "libsvm.so.4" if OS.mac?
  end

  test do
    (testpath/"rows").write <<~EOS
      +1 1:0.7 2:1
      -1 1:-0.6 2:-1
      +1 1:0.9 2:0.4
      -1 1:-0.8 2:-0.1
    EOS
    (testpath/"targets").write "0.1 1:1\n0.9 1:2\n2.1 1:3\n"
    system bin/"svm-train", "-s", "0", "rows"
    system bin/"svm-train", "-s", "3", "targets"
    assert_match "Accuracy = 100%", shell_output("#{bin}/svm-predict rows rows.model out")
    (testpath/"test.c").write <<~EOS
      #include <svm_ext.h>
      int main(void) { return libsvm_version == LIBSVM_VERSION && svm_version() ? 0 : 1; }
    EOS
    system ENV.cc, "test.c", "-I#{include}", "-L#{lib}", "-lsvm", "-o", "test"
    system "./test"
  end
end
