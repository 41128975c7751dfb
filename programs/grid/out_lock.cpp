#include "programs/grid/out_lock.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "base/io/number_text.h"
#include "base/platform/process.h"
#include "programs/platform/processes.h"

namespace svm::grid {
namespace {

constexpr std::size_t kMostText = 4096;  // maximum size of a lock file

// The content of a lock file, which has one line "name value" for each member.
struct Owner {
  std::string host, process, since, command;

  bool is_known() const { return !command.empty(); }  // the command is the last line
};

// `text` with control characters replaced, for a single line on a terminal.
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
    if (end == std::string_view::npos) break;  // not completely written yet
    const std::string_view line = text.substr(0, end);
    if (line.substr(0, name.size()) == name && line.substr(name.size(), 1) == " ") {
      return printable(line.substr(name.size() + 1));
    }
    text.remove_prefix(end + 1);
  }
  return {};
}

Owner read_owner(const platform::File& file) {
  std::array<char, kMostText> text{};
  const std::ptrdiff_t count = file.read_at(text.data(), text.size(), 0);
  const std::string_view all(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  return {value_of(all, "host"), value_of(all, "process"), value_of(all, "since"),
          value_of(all, "command")};
}

// Reads the lock file. If it is incomplete, waits for the owner, who may be about to write it.
Owner wait_for_owner(const platform::File& file) {
  constexpr int kLooks = 20;
  constexpr std::chrono::milliseconds kBetween(50);
  Owner owner = read_owner(file);
  for (int look = 1; look < kLooks && !owner.is_known(); ++look) {
    std::this_thread::sleep_for(kBetween);
    owner = read_owner(file);
  }
  return owner;
}

// True if the owner certainly no longer exists; nothing is known of other machines.
bool is_gone(const Owner& owner) {
  const IntText process = parse_int(owner.process);
  return owner.host == platform::host_name() && process.status == NumberStatus::kOk &&
         process.value >= 1 && platform::is_process_gone(process.value);
}

[[noreturn]] void refuse(const std::string& out, const Owner& owner, const std::string& advice) {
  std::string who = "in use by another search";
  if (owner.is_known()) {
    who += ": process " + owner.process + " on " + owner.host + ", since " + owner.since + ": " +
           owner.command;
  }
  throw OutIsLocked(out + ": " + who + "\nWait for its end, or give another -out file" + advice);
}

// The path to which symbolic links lead from `path`, whether or not that file exists.
std::string target_of(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::filesystem::path target = std::filesystem::u8path(path);
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code is_no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(target, is_no_link);
    if (is_no_link) break;
    target = target.parent_path() / next;
  }
  return target.u8string();
}

bool is_other_than_a_file(const std::string& path) {
  const std::optional<platform::FileFacts> facts = platform::facts_of(path, true);
  return facts && facts->kind != platform::FileFacts::Kind::kRegular;
}

// Removes `path` if it still names this file. It may name the file of another search that was
// faster, which must stay.
void remove_left_over(const platform::File& file, const std::string& path) {
  const std::string aside = path + "." + std::to_string(platform::process_id());
  if (!has_name(file, path) || !platform::replace(path, aside)) return;
  if (!has_name(file, aside)) platform::add_hard_link(aside, path);
  platform::remove(aside.c_str());
}

// The content of the lock file while this process holds the lock.
std::string signature(const std::string& command) {
  constexpr std::size_t kMostCommand = kMostText / 2;
  const std::time_t now = std::time(nullptr);
  std::array<char, 64> since{};
  std::strftime(since.data(), since.size(), "%Y-%m-%d %H:%M:%S %z", std::localtime(&now));
  return "host " + platform::host_name() + "\nprocess " + std::to_string(platform::process_id()) +
         "\nsince " + since.data() + "\ncommand " + printable(command).substr(0, kMostCommand) +
         "\n";
}

// Errors are ignored: without the text, only messages of others lack the owner's name.
void sign(const platform::File& file, const std::string& text) {
  if (file.truncate(0) && file.write_at_start(text)) file.sync();  // so that other machines see it
}

}  // namespace

OutLock::OutLock(const std::string& out, const std::string& command, LockFunction lock) {
  if (is_other_than_a_file(out)) return;
  path_ = target_of(out) + ".lock";
  const std::string text = signature(command);
  // An owner that finishes removes the file, possibly between two of our steps.
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    bool is_new = false;
    platform::File file = platform::open_lock_file(path_, is_new);
    if (!file.is_open()) {
      if (errno == ENOENT && attempt + 1 < kAttempts) continue;
      failure_ = path_ + ": " + std::generic_category().message(errno);
      return;
    }
    const platform::Lock outcome = lock(file);
    if (outcome == platform::Lock::kTaken) {
      if (!has_name(file, path_)) continue;
    } else if (outcome == platform::Lock::kHeldByAnother) {
      refuse(out, wait_for_owner(file), "");
    } else if (!is_new) {
      const Owner owner = wait_for_owner(file);
      if (!is_gone(owner)) {
        refuse(out, owner,
               ".\nIf that search is gone, remove " + path_ + ": this file system has no locks");
      }
      remove_left_over(file, path_);
      continue;
    }
    sign(file, text);
    file_ = std::move(file);
    return;
  }
  failure_ = path_ + ": it is removed again and again";
}

OutLock::~OutLock() {
  if (!file_.is_open()) return;
  if (has_name(file_, path_))
    platform::remove(path_.c_str());  // before another process can take the lock
}

}  // namespace svm::grid
