#include "grid/out_lock.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <sys/stat.h>

#include "io/number_text.h"

namespace svm::grid {
namespace {

constexpr std::size_t kMostText = 4096;  // of a lock file

// What a lock file says: a line "name value" each.
struct Owner {
  std::string host, process, since, command;

  bool is_known() const { return !command.empty(); }  // the last line
};

// On one line of a terminal.
std::string printable(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  }
  return line;
}

std::string value_of(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // not yet written to its end
    const std::string_view line = text.substr(0, end);
    if (line.substr(0, name.size()) == name && line.substr(name.size(), 1) == " ") {
      return printable(line.substr(name.size() + 1));
    }
    text.remove_prefix(end + 1);
  }
  return {};
}

Owner read_owner(int descriptor) {
  std::array<char, kMostText> text{};
  const ssize_t count = ::pread(descriptor, text.data(), text.size(), 0);
  const std::string_view all(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  return {value_of(all, "host"), value_of(all, "process"), value_of(all, "since"),
          value_of(all, "command")};
}

// The owner may be about to write.
Owner wait_for_owner(int descriptor) {
  constexpr int kLooks = 20;
  constexpr std::chrono::milliseconds kBetween(50);
  Owner owner = read_owner(descriptor);
  for (int look = 1; look < kLooks && !owner.is_known(); ++look) {
    std::this_thread::sleep_for(kBetween);
    owner = read_owner(descriptor);
  }
  return owner;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0' ? name.data()
                                                                             : "localhost";
}

// Certainly: of another machine nothing is known.
bool is_gone(const Owner& owner) {
  const IntText process = parse_int(owner.process);
  if (owner.host != host_name() || process.status != NumberStatus::kOk || process.value < 1) {
    return false;
  }
  return ::kill(static_cast<pid_t>(process.value), 0) != 0 && errno == ESRCH;
}

[[noreturn]] void refuse(const std::string& out, const Owner& owner, const std::string& advice) {
  std::string who = "in use by another search";
  if (owner.is_known()) {
    who += ": process " + owner.process + " on " + owner.host + ", since " + owner.since + ": " +
           owner.command;
  }
  throw OutIsLocked(out + ": " + who + "\nWait for its end, or give another -out file" + advice);
}

// Where the links lead from `path`, whether there is a file or not.
std::string target_of(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::filesystem::path target = path;
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code is_no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(target, is_no_link);
    if (is_no_link) break;
    target = target.parent_path() / next;
  }
  return target.string();
}

bool is_other_than_a_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

bool has_name(int descriptor, const std::string& path) {
  struct stat own {};
  struct stat there {};
  return ::fstat(descriptor, &own) == 0 && ::lstat(path.c_str(), &there) == 0 &&
         own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

// Removes the file `path` if that is what the descriptor is open on: another search may have been
// quicker, and its file must stay.
void remove_left_over(int descriptor, const std::string& path) {
  const std::string aside = path + "." + std::to_string(static_cast<long long>(::getpid()));
  if (!has_name(descriptor, path) || ::rename(path.c_str(), aside.c_str()) != 0) return;
  if (!has_name(descriptor, aside)) static_cast<void>(::link(aside.c_str(), path.c_str()));
  ::unlink(aside.c_str());
}

// -1 and errno on failure.
int open_lock_file(const std::string& path, bool& is_new) {
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  constexpr mode_t kUsual = 0666;
  const int descriptor = ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, kUsual);
  is_new = descriptor >= 0;
  return is_new || errno != EEXIST ? descriptor : ::open(path.c_str(), kFlags);
}

// What a lock file says while this process has it.
std::string signature(const std::string& command) {
  constexpr std::size_t kMostCommand = kMostText / 2;
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  ::localtime_r(&now, &local);
  std::array<char, 64> since{};
  std::strftime(since.data(), since.size(), "%Y-%m-%d %H:%M:%S %z", &local);
  return "host " + host_name() + "\nprocess " + std::to_string(static_cast<long long>(::getpid())) +
         "\nsince " + since.data() + "\ncommand " + printable(command).substr(0, kMostCommand) +
         "\n";
}

// A text that cannot be written is missed in a message only.
void sign(int descriptor, const std::string& text) {
  if (::ftruncate(descriptor, 0) != 0) return;
  if (::pwrite(descriptor, text.data(), text.size(), 0) < 0) return;
  ::fsync(descriptor);  // other machines are to see it
}

}  // namespace

OutLock::OutLock(const std::string& out, const std::string& command, LockFunction lock) {
  if (is_other_than_a_file(out)) return;
  path_ = target_of(out) + ".lock";
  const std::string text = signature(command);
  // An owner that is done removes the file, perhaps between two steps of ours.
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    bool is_new = false;
    FileDescriptor file(open_lock_file(path_, is_new));
    if (!file.is_open()) {
      if (errno == ENOENT && attempt + 1 < kAttempts) continue;
      failure_ = path_ + ": " + std::generic_category().message(errno);
      return;
    }
    if (lock(file.get(), LOCK_EX | LOCK_NB) == 0) {
      if (!has_name(file.get(), path_)) continue;
    } else if (errno == EWOULDBLOCK) {
      refuse(out, wait_for_owner(file.get()), "");
    } else if (!is_new) {
      const Owner owner = wait_for_owner(file.get());
      if (!is_gone(owner)) {
        refuse(out, owner,
               ".\nIf that search is gone, remove " + path_ + ": this file system has no locks");
      }
      remove_left_over(file.get(), path_);
      continue;
    }
    sign(file.get(), text);
    file_ = std::move(file);
    return;
  }
  failure_ = path_ + ": it is removed again and again";
}

OutLock::~OutLock() {
  if (!file_.is_open()) return;
  if (has_name(file_.get(), path_)) ::unlink(path_.c_str());  // before others can have the lock
}

}  // namespace svm::grid
