// A folder for one test, removed with everything in it.
#ifndef SVM_TESTS_TEMP_DIR_H_
#define SVM_TESTS_TEMP_DIR_H_

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

namespace svm::test {

class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "svm-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), name);
    }
    path_ = name;
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  // Creates or replaces a file; returns its path.
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream out(file(name), std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) throw std::system_error(EIO, std::generic_category(), file(name));
    return file(name);
  }

  // Content of a file; throws if there is none.
  std::string read(const std::string& name) const {
    std::ifstream in(file(name), std::ios::binary);
    if (!in) throw std::system_error(ENOENT, std::generic_category(), file(name));
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

  bool exists(const std::string& name) const { return std::filesystem::exists(file(name)); }

  // Number of entries, hidden ones included.
  std::size_t count() const {
    const std::filesystem::directory_iterator entries(path_);
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  }

 private:
  std::string path_;
};

}  // namespace svm::test

#endif  // SVM_TESTS_TEMP_DIR_H_
