// The option parser, with a table for tests.
#include "programs/cli/options.h"

#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "programs/cli/main.h"
#include "svm_ext.h"

namespace svm::cli {
namespace {

// The values that the options of the test program stored.
struct Stored {
  int count = 7;
  double ratio = 0;
  double low = 0;
  double high = 0;
  std::string name;
  bool flag = false;
  int threads = 0;
  std::vector<std::pair<int, double>> weights;
};

Option make_option(const char* name, ValueKind kind, const char* value_name,
                   std::function<void(const Option::Value&)> store) {
  Option option;
  option.name = name;
  option.kind = kind;
  option.value_name = value_name;
  option.help = std::string("help of ") + name;
  option.store = std::move(store);
  return option;
}

class OptionsTest : public testing::Test {
 protected:
  OptionsTest() {
    using Value = Option::Value;
    program_.name = "prog";
    program_.usage = "[options] file [other]";
    program_.min_files = 1;
    program_.max_files = 2;
    program_.unknown_option = "Unknown option: -%c";
    program_.options = {
        make_option("-c", ValueKind::kInt, "count",
                    [this](const Value& v) { stored_.count = v.integer; }),
        make_option("-r", ValueKind::kReal, "ratio",
                    [this](const Value& v) { stored_.ratio = v.real; }),
        make_option("-y", ValueKind::kTwoReals, "low high",
                    [this](const Value& v) {
                      stored_.low = v.real;
                      stored_.high = v.second;
                    }),
        make_option("-f", ValueKind::kText, "name",
                    [this](const Value& v) { stored_.name = v.text; }),
        make_option("-q", ValueKind::kNone, "", [this](const Value&) { stored_.flag = true; }),
        make_option("-w", ValueKind::kReal, "weight",
                    [this](const Value& v) { stored_.weights.emplace_back(v.suffix, v.real); }),
        make_option("--threads", ValueKind::kInt, "n",
                    [this](const Value& v) { stored_.threads = v.integer; }),
        make_option("--loud", ValueKind::kNone, "", [this](const Value&) { stored_.flag = true; }),
    };
    program_.options[0].fallback = "7";
    program_.options[5].suffix = true;
    program_.options[6].lower = 1;
    program_.options[6].upper = 8;
    program_.options[6].range = "1 to 8";
  }

  ParsedLine parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "prog");
    return parse_command_line(program_, static_cast<int>(arguments.size()), arguments.data());
  }

  // The message of the UsageError that parsing throws, or "no error".
  std::string error(const std::vector<const char*>& arguments) {
    try {
      parse(arguments);
    } catch (const UsageError& failure) {
      return failure.what();
    }
    return "no error";
  }

  Program program_;
  Stored stored_;
};

TEST_F(OptionsTest, StoresEveryKindOfValue) {
  const ParsedLine line =
      parse({"-c", "-3", "-r", "2.5e-1", "-y", "-1", "4", "-f", "-", "-q", "in", "out"});
  EXPECT_EQ(line.request, Request::kRun);
  EXPECT_EQ(line.files, (std::vector<std::string>{"in", "out"}));
  EXPECT_TRUE(line.warnings.empty());
  EXPECT_EQ(stored_.count, -3);
  EXPECT_EQ(stored_.ratio, 0.25);
  EXPECT_EQ(stored_.low, -1);
  EXPECT_EQ(stored_.high, 4);
  EXPECT_EQ(stored_.name, "-");
  EXPECT_TRUE(stored_.flag);
}

TEST_F(OptionsTest, OnlyTheLetterCounts) {
  parse({"-count", "5", "in"});
  EXPECT_EQ(stored_.count, 5);
  EXPECT_EQ(error({"-c3", "in", "out"}), "prog: option -c: 'in' is not an integer");
}

TEST_F(OptionsTest, AnOptionMayRefuseItsValue) {
  for (Option& option : program_.options) {
    option.store = [](const Option::Value& value) { throw BadValue("no " + value.text); };
  }
  EXPECT_EQ(error({"-f", "x", "in"}), "prog: option -f: no x");
  EXPECT_EQ(error({"-count", "5", "in"}), "prog: option -c: no 5");
  EXPECT_EQ(error({"-w3", "2", "in"}), "prog: option -w3: no 2");
  EXPECT_EQ(error({"--threads=2", "in"}), "prog: option --threads: no 2");
  program_.options[3].store = [](const Option::Value&) { throw BadValue("why", "first\n"); };
  EXPECT_EQ(error({"-f", "x", "in"}), "first\nprog: option -f: why");
}

TEST_F(OptionsTest, OptionsEndAtTheFirstFile) {
  const ParsedLine line = parse({"-c", "1", "in", "-c"});
  EXPECT_EQ(line.files, (std::vector<std::string>{"in", "-c"}));
  EXPECT_EQ(stored_.count, 1);
  EXPECT_EQ(line.warnings,
            std::vector<std::string>{
                "prog: '-c' is taken as the name of a file (options come before file names)"});
}

TEST_F(OptionsTest, ADashIsAStandardStream) {
  EXPECT_EQ(parse({"-c", "1", "-", "-"}).files,
            (std::vector<std::string>{"/dev/stdin", "/dev/stdout"}));
  EXPECT_EQ(parse({"-"}).warnings, std::vector<std::string>{});
  program_.input_files = 2;
  EXPECT_EQ(parse({"in", "-"}).files, (std::vector<std::string>{"in", "/dev/stdin"}));
  EXPECT_EQ(error({"-", "-"}), "prog: only one file can be '-', standard input");
}

TEST_F(OptionsTest, ExtraFilesAreRefused) {
  EXPECT_EQ(error({"a", "b", "c"}),
            "prog: unexpected argument 'c' (options come before file names)");
}

// As in commands that were copied from a page.
TEST_F(OptionsTest, TypographicDashesAreNamed) {
  const std::string fault = " has a typographic dash in the place of the sign '-'";
  const std::vector<std::string> dashes = {"\u2010", "\u2013", "\u2014", "\u2015", "\u2212"};
  for (const std::string& dash : dashes) {
    const std::string option = dash + "c", name = dash + "threads", value = dash + "5";
    const auto told = [&](const std::string& text) { return "prog: '" + text + "'" + fault; };
    EXPECT_EQ(error({option.c_str(), "5", "in"}), told(option) + "; did you mean -c?");
    EXPECT_EQ(error({"in", name.c_str()}), told(name) + "; did you mean --threads?");
    EXPECT_EQ(error({"-c", value.c_str(), "in"}), "prog: option -c: '" + value + "'" + fault);
    EXPECT_EQ(error({"-y", "1", value.c_str(), "in"}), "prog: option -y: '" + value + "'" + fault);
  }
  EXPECT_EQ(parse({"a\u2013b"}).files, std::vector<std::string>{"a\u2013b"});
  for (const char* const other : {"\u2009x", "\u2016x", "\u2211x", "\u2213x"}) {
    EXPECT_EQ(parse({other}).files, std::vector<std::string>{other});
  }
}

TEST_F(OptionsTest, TooFewFiles) {
  EXPECT_EQ(error({}), "");
  EXPECT_EQ(error({"-q"}), "prog: file names given: 0, needed: 1");
}

TEST_F(OptionsTest, SuffixIsAnInteger) {
  parse({"-w1", "2", "-w-1", "0.5", "in"});
  EXPECT_EQ(stored_.weights, (std::vector<std::pair<int, double>>{{1, 2}, {-1, 0.5}}));
  EXPECT_EQ(error({"-wx", "2", "in"}), "prog: option -wx: 'x' is not an integer");
  EXPECT_EQ(error({"-w", "2", "in"}), "prog: option -w: '' is not an integer");
}

TEST_F(OptionsTest, MissingValues) {
  EXPECT_EQ(error({"-c"}), "prog: option -c needs a value: count");
  EXPECT_EQ(error({"-y", "1"}), "prog: option -y needs two values: low high");
  EXPECT_EQ(error({"-w1"}), "prog: option -w1 needs a value: weight");
  EXPECT_EQ(error({"--threads"}), "prog: option --threads needs a value: n");
}

TEST_F(OptionsTest, UnknownShortOption) {
  EXPECT_EQ(error({"-z", "1", "in"}), "Unknown option: -z");
  EXPECT_EQ(error({"-zeta", "1", "in"}), "Unknown option: -z\nprog: there is no option '-zeta'");
  program_.unknown_option = "unknown option";
  EXPECT_EQ(error({"-z", "1", "in"}), "unknown option\nprog: there is no option '-z'");
}

TEST_F(OptionsTest, UnknownLongOption) {
  EXPECT_EQ(error({"--thraeds=2", "in"}),
            "Unknown option: --\nprog: there is no option '--thraeds'; did you mean --threads?");
  EXPECT_EQ(error({"--hepl"}),
            "Unknown option: --\nprog: there is no option '--hepl'; did you mean --help?");
  EXPECT_EQ(error({"--unheard-of", "in"}),
            "Unknown option: --\nprog: there is no option '--unheard-of'");
  EXPECT_EQ(error({"--", "in"}), "Unknown option: --");
}

// Suggests the nearest option: in the other case, by the value's name, with one dash instead of
// two.
TEST_F(OptionsTest, TheOptionMeantIsNamed) {
  program_.options[1].name = "-log2c";
  const auto meant = [this](const char* wrong) {
    const std::string message = error({wrong, "10", "in"});
    const std::string before = "did you mean ";
    const std::size_t at = message.find(before);
    return at == std::string::npos ? "" : message.substr(at + before.size());
  };
  EXPECT_EQ(meant("-C"), "-c?");
  EXPECT_EQ(meant("-Count"), "-c?");
  EXPECT_EQ(meant("--c"), "-c?");
  EXPECT_EQ(meant("--count"), "-c?");
  EXPECT_EQ(meant("--C=3"), "-c?");
  EXPECT_EQ(meant("-W1"), "-w?");
  EXPECT_EQ(meant("-threads"), "--threads?");
  EXPECT_EQ(meant("--Threads=2"), "--threads?");
  EXPECT_EQ(meant("-log2C"), "-log2c?");
  EXPECT_EQ(meant("-lgo2c"), "-log2c?");
  EXPECT_EQ(meant("-help"), "--help?");
  EXPECT_EQ(meant("-z"), "");
  EXPECT_EQ(meant("--zz"), "");
}

TEST_F(OptionsTest, LongOptions) {
  parse({"--threads", "3", "in"});
  EXPECT_EQ(stored_.threads, 3);
  parse({"--threads=4", "--loud", "in"});
  EXPECT_EQ(stored_.threads, 4);
  EXPECT_TRUE(stored_.flag);
  EXPECT_EQ(error({"--loud=1", "in"}), "prog: option --loud: takes no value");
  EXPECT_EQ(error({"--threads=", "in"}), "prog: option --threads: '' is not an integer");
}

TEST_F(OptionsTest, RangesOfLongOptions) {
  EXPECT_EQ(error({"--threads=0", "in"}),
            "prog: option --threads: '0' is out of range; allowed is 1 to 8");
  EXPECT_EQ(error({"--threads=9", "in"}),
            "prog: option --threads: '9' is out of range; allowed is 1 to 8");
  EXPECT_EQ(error({"--threads=8", "in"}), "no error");
  EXPECT_EQ(error({"-c", "-100", "in"}), "no error");
}

TEST_F(OptionsTest, NumbersAreReadAsTheCLibraryDoes) {
  const ParsedLine line = parse({"-c", " 4.5", "-r", "1e-2x", "in"});
  EXPECT_EQ(stored_.count, 4);
  EXPECT_EQ(stored_.ratio, 0.01);
  EXPECT_EQ(line.warnings,
            (std::vector<std::string>{"prog: option -c: '.5' after 4 is ignored",
                                      "prog: option -r: 'x' after 1e-2 is ignored"}));
  EXPECT_TRUE(parse({"-c", "4 ", "in"}).warnings.empty());
  parse({"-r", "0x10", "in"});
  EXPECT_EQ(stored_.ratio, 16);
}

TEST_F(OptionsTest, BadNumbers) {
  EXPECT_EQ(error({"-c", "abc", "in"}), "prog: option -c: 'abc' is not an integer");
  EXPECT_EQ(error({"-c", "", "in"}), "prog: option -c: '' is not an integer");
  EXPECT_EQ(error({"-c", "2147483648", "in"}),
            "prog: option -c: '2147483648' does not fit an integer of 32 bits");
  EXPECT_EQ(error({"-c", "-99999999999999999999", "in"}),
            "prog: option -c: '-99999999999999999999' does not fit an integer of 32 bits");
  EXPECT_EQ(error({"-c", "-2147483648", "in"}), "no error");
  EXPECT_EQ(error({"-r", "abc", "in"}), "prog: option -r: 'abc' is not a number");
  EXPECT_EQ(error({"-r", "nan", "in"}), "prog: option -r: 'nan' is not a finite number");
  EXPECT_EQ(error({"-r", "-inf", "in"}), "prog: option -r: '-inf' is not a finite number");
  EXPECT_EQ(error({"-r", "1e400", "in"}), "prog: option -r: '1e400' is too large for a double");
  EXPECT_EQ(error({"-r", "1e-310", "in"}), "no error");
  EXPECT_EQ(error({"-y", "1", "x", "in"}), "prog: option -y: 'x' is not a number");
}

TEST_F(OptionsTest, HelpAndVersionStopParsing) {
  EXPECT_EQ(parse({"--help", "-z"}).request, Request::kHelp);
  EXPECT_EQ(parse({"-q", "--version"}).request, Request::kVersion);
  EXPECT_EQ(error({"--help=1"}), "prog: option --help: takes no value");
  EXPECT_EQ(parse({"in", "--help"}).request, Request::kRun);
}

TEST_F(OptionsTest, HelpShowsEveryOption) {
  const std::string help = help_text(program_, 80);
  EXPECT_EQ(help.rfind("Usage: prog [options] file [other]\n\noptions:\n", 0), 0U) << help;
  EXPECT_NE(help.find("\n  -c count     help of -c (default 7)\n"), std::string::npos) << help;
  EXPECT_NE(help.find("\n  -wi weight"), std::string::npos) << help;
  EXPECT_NE(help.find("\n  --version"), std::string::npos) << help;
  EXPECT_EQ(help.find('\t'), std::string::npos);
}

// Lists keep their lines; continuation lines of an entry are indented to its meaning.
TEST_F(OptionsTest, HelpIsWrapped) {
  program_.options = {make_option("-c", ValueKind::kInt, "count", nullptr),
                      make_option("-f", ValueKind::kText, "name", nullptr)};
  program_.options[0].help = "one of:\n1  the very first of them all\n22  the others";
  program_.options[0].fallback = "1";
  program_.options[1].help = "words that fill a line, or two of them";
  program_.options[1].fallback = "none";
  EXPECT_EQ(help_text(program_, 40),
            "Usage: prog [options] file [other]\n\noptions:\n"
            "  -c count   one of:\n"
            "               1  the very first of\n"
            "                  them all\n"
            "               22  the others\n"
            "               (default 1)\n"
            "  -f name    words that fill a line, or\n"
            "             two of them (default none)\n"
            "  --help     print this help and exit\n"
            "  --version  print the version and exit\n");
  EXPECT_EQ(help_text(program_, 3), help_text(program_, 40));
  EXPECT_NE(help_text(program_, 70)
                .find("  -f name    words that fill a line, or two of them "
                      "(default none)\n"),
            std::string::npos);
}

TEST_F(OptionsTest, VersionNamesTheInterface) {
  EXPECT_EQ(version_text(program_),
            std::string("prog ") + svm_version() + " (LIBSVM 3.37 interface)\n");
}

// Runs run_program() and captures its output.
class RunTest : public OptionsTest {
 protected:
  int run(std::vector<const char*> arguments,
          const std::function<int(const std::vector<std::string>&)>& work) {
    arguments.insert(arguments.begin(), "prog");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status =
        run_program(program_, static_cast<int>(arguments.size()), arguments.data(), work);
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return status;
  }

  static int never(const std::vector<std::string>&) {
    ADD_FAILURE() << "the program ran";
    return 0;
  }

  std::string out_;
  std::string err_;
};

TEST_F(RunTest, PassesFilesAndStatus) {
  std::vector<std::string> seen;
  EXPECT_EQ(run({"-c", "1x", "in"},
                [&](const std::vector<std::string>& files) {
                  seen = files;
                  return 42;
                }),
            42);
  EXPECT_EQ(seen, std::vector<std::string>{"in"});
  EXPECT_EQ(out_, "");
  EXPECT_EQ(err_, "prog: option -c: 'x' after 1 is ignored\n");
}

TEST_F(RunTest, HelpAndVersionSucceed) {
  EXPECT_EQ(run({"--help"}, never), 0);
  EXPECT_EQ(out_, help_text(program_, 80));
  EXPECT_EQ(err_, "");
  EXPECT_EQ(run({"--version"}, never), 0);
  EXPECT_EQ(out_, version_text(program_));
}

TEST_F(RunTest, UsageErrorsNameTheHelp) {
  EXPECT_EQ(run({"-z", "1", "in"}, never), 1);
  EXPECT_EQ(err_, "Unknown option: -z\nprog --help shows all options\n");
  EXPECT_EQ(out_, "");
  EXPECT_EQ(run({}, never), 1);
  EXPECT_EQ(err_, "");
  EXPECT_EQ(out_, help_text(program_, 80));
}

TEST_F(RunTest, ExceptionsBecomeOneLine) {
  EXPECT_EQ(run({"in"}, [](const auto&) -> int { throw std::bad_alloc(); }), 1);
  EXPECT_EQ(err_, "prog: out of memory\n");
  EXPECT_EQ(run({"in"}, [](const auto&) -> int { throw std::runtime_error("broken"); }), 1);
  EXPECT_EQ(err_, "prog: broken\n");
  EXPECT_EQ(run({"in"}, [](const auto&) -> int { throw 1; }), 1);
  EXPECT_EQ(err_, "prog: unknown error\n");
  EXPECT_EQ(out_, "");
}

}  // namespace
}  // namespace svm::cli
