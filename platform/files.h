// Files, as the operating system has them.  Paths are UTF-8.  Functions that fail return false,
// null or a file that is not open, and set errno, unless they say otherwise.
#ifndef SVM_PLATFORM_FILES_H_
#define SVM_PLATFORM_FILES_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace svm::platform {

// An open file, closed at the end.
class File {
 public:
  // Takes the number that the C library gave an open file; -1 for none.
  explicit File(int number = -1) noexcept : number_(number) {}
  File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~File() { close(); }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

  bool write_all(std::string_view text) const;  // at the current position
  bool sync() const;  // to the disk; true also where the file system knows no such thing
  bool close() noexcept;

  // The number of bytes read from `position` on into `to`, at most `size`; -1 on failure.
  std::ptrdiff_t read_at(char* to, std::size_t size, std::uintmax_t position) const;
  bool write_at_start(std::string_view text) const;
  bool cut_to(std::uintmax_t size) const;
  bool go_to(std::uintmax_t position) const;

 private:
  int number_;
};

// Opens a file for writing.  `permissions` are those of POSIX, less what the umask takes away;
// Windows gives a file those of its folder.
File open_new(const std::string& path, unsigned permissions);  // EEXIST where there is one
File open_existing(const std::string& path);
File open_emptied(const std::string& path);  // or new

// Opens a file for reading and writing, or makes a new one; an old one is emptied without `keep`.
File open_for_update(const std::string& path, bool keep);

// For reading, as it is byte for byte.
std::FILE* open_stream(const std::string& path);

// For reading and writing; without a name, gone when it is closed.
std::FILE* open_temporary_stream();

struct FileFacts {
  enum class Kind { kRegular, kFolder, kOther };
  Kind kind;
  bool has_further_names;  // hard links
  std::uintmax_t size;     // in bytes; of a regular file
};

std::optional<FileFacts> facts_of(const File& file);
std::optional<FileFacts> facts_of(std::FILE* file);
// With `follow` of what a symbolic link leads to, else of the link, which is kOther.
std::optional<FileFacts> facts_of(const std::string& path, bool follow);

// Is `path` now a name of this file?  A symbolic link to it is none.  Leaves errno undefined.
bool has_name(const File& file, const std::string& path);

bool is_executable(const std::string& path);
bool is_writable(const std::string& path);  // of a folder: it takes new files

// Where the last part of a path begins.
std::size_t name_begin(const std::string& path);

// Gives `to` the owner, permissions, access lists and extended attributes of `from`, and no others;
// the last two on Linux only.  False where not all of that is possible.  On Windows that is left to
// replace().  Throws std::bad_alloc.
bool copy_attributes(const File& from, const File& to);

// Renames a closed file.  A file that has the new name already is replaced in one step: whoever
// opens that name gets the old file or the new one, also after a loss of power.
bool replace(const std::string& from, const std::string& to);

bool add_name(const std::string& path, const std::string& further);  // fails where there is one
bool remove(const char* path) noexcept;                              // async-signal-safe

// Puts on the disk which files the folder of `path` has.  True also where a folder that takes files
// cannot be read, and where the system does this by itself.
bool sync_folder_of(const std::string& path);

// A lock on a file of its own, held by the open file, and so at most as long as the process lives.
// Who has it may write to the file and remove it; all others can read it meanwhile.
File open_lock_file(const std::string& path, bool& is_new);  // ENOENT: just removed by another

enum class Lock { kTaken, kHeldByAnother, kUnknownHere };  // the last: no locks on this file system
Lock take_lock(const File& file);

}  // namespace svm::platform

#endif  // SVM_PLATFORM_FILES_H_
