#include "grid/out_lock.h"

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

#include "io/number_text.h"
#include "platform/processes.h"

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

Owner read_owner(const platform::File& file) {
  std::array<char, kMostText> text{};
  const std::ptrdiff_t count = file.read_at(text.data(), text.size(), 0);
  const std::string_view all(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  return {value_of(all, "host"), value_of(all, "process"), value_of(all, "since"),
          value_of(all, "command")};
}

// The owner may be about to write.
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

// Certainly: of another machine nothing is known.
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

// Where the links lead from `path`, whether there is a file or not.
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

// Removes `path` if that is the name of this file: another search may have been quicker, and its
// file must stay.
void remove_left_over(const platform::File& file, const std::string& path) {
  const std::string aside = path + "." + std::to_string(platform::process_id());
  if (!has_name(file, path) || !platform::replace(path, aside)) return;
  if (!has_name(file, aside)) platform::add_name(aside, path);
  platform::remove(aside.c_str());
}

// What a lock file says while this process has it.
std::string signature(const std::string& command) {
  constexpr std::size_t kMostCommand = kMostText / 2;
  const std::time_t now = std::time(nullptr);
  std::array<char, 64> since{};
  std::strftime(since.data(), since.size(), "%Y-%m-%d %H:%M:%S %z", std::localtime(&now));
  return "host " + platform::host_name() + "\nprocess " + std::to_string(platform::process_id()) +
         "\nsince " + since.data() + "\ncommand " + printable(command).substr(0, kMostCommand) +
         "\n";
}

// A text that cannot be written is missed in a message only.
void sign(const platform::File& file, const std::string& text) {
  if (file.cut_to(0) && file.write_at_start(text)) file.sync();  // other machines are to see it
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
  if (has_name(file_, path_)) platform::remove(path_.c_str());  // before others can have the lock
}

}  // namespace svm::grid
