// File operations of the operating system. Paths are UTF-8. Unless stated otherwise, a function
// that fails returns false, null or a File that is not open, and sets errno.
#ifndef SVM_BASE_PLATFORM_FILES_H_
#define SVM_BASE_PLATFORM_FILES_H_

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace svm::platform {

// Owns an open file and closes it on destruction.
class File {
 public:
  // Takes ownership of a file descriptor of the C library; -1 means no file.
  explicit File(int number = -1) noexcept : number_(number) {}
  File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~File() { close(); }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

  bool write_all(std::string_view text) const;  // writes at the current position
  bool sync() const;  // flushes to the disk; true also if the file system cannot sync
  bool close() noexcept;
  int release() noexcept { return std::exchange(number_, -1); }  // to another owner

  // Reads up to `size` bytes at `position` into `to`. Returns their number, or -1 on failure.
  std::ptrdiff_t read_at(char* to, std::size_t size, std::uintmax_t position) const;
  bool truncate(std::uintmax_t size) const;
  bool seek(std::uintmax_t position) const;

 private:
  int number_;
};

// Names of the standard streams as files, on every system. Reading and writing them continues where
// the streams are.
inline constexpr const char* kStandardInput = "/dev/stdin";
inline constexpr const char* kStandardOutput = "/dev/stdout";

// These open a file for writing. `permissions` are POSIX permissions, from which the umask is
// subtracted; on Windows a file gets those of its folder.
File open_new(const std::string& path, unsigned permissions);  // EEXIST if the file exists
File open_existing(const std::string& path);
File open_truncated(const std::string& path);  // creates or truncates the file

// Opens a file for reading and writing and creates it if necessary.
File open_for_update(const std::string& path);

// Opens a file for reading in binary mode.
std::FILE* open_stream(const std::string& path);

// The number of bytes that were read from a regular file of open_stream(); 0 on failure.
std::uintmax_t position_of(std::FILE* file);

// Opens a nameless file for reading and writing in a folder, which disappears when it is closed,
// however the process ends.
std::FILE* open_temporary_stream(const std::string& folder);

struct FileFacts {
  enum class Kind { kRegular, kFolder, kOther };
  Kind kind;
  bool has_hard_links;  // the file has more than one name
  std::uintmax_t size;  // in bytes; regular files only
};

std::optional<FileFacts> facts_of(const File& file);
std::optional<FileFacts> facts_of(std::FILE* file);
// If `path` is a symbolic link, describes its target if `follow` is set; otherwise the link itself,
// which is kOther.
std::optional<FileFacts> facts_of(const std::string& path, bool follow);

bool is_executable(const std::string& path);
bool is_writable(const std::string& path);  // for a folder: files can be created in it

// Index in `path` at which its last component begins.
std::size_t name_begin(const std::string& path);

// Makes the owner, permissions, access lists and extended attributes of `to` those of `from` (the
// last two on Linux only). Returns false if any of them could not be copied. On Windows, replace()
// does this instead. Throws std::bad_alloc.
bool copy_attributes(const File& from, const File& to);

// Renames a closed file. An existing file of the new name is replaced atomically: whoever opens
// that name gets the old file or the new one, even after a loss of power.
bool replace(const std::string& from, const std::string& to);

bool remove(const char* path) noexcept;  // async-signal-safe

// Flushes the directory entries of a folder to the disk. Also true if the folder is writable but
// unreadable, and on systems that need no such flush. Allocates no memory.
bool sync_folder(const std::string& folder);

// Locks the file against everybody else who locks it, until it is closed or the process ends; reads
// and writes are free. EWOULDBLOCK: another open file has the lock.
bool lock(const File& file);

}  // namespace svm::platform

#endif  // SVM_BASE_PLATFORM_FILES_H_
