// The option tables of the programs.
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "docs/all_programs.h"
#include "svm_ext.h"

namespace svm::cli {
namespace {

void parse_with(const Program& program, std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), program.name.c_str());
  parse_command_line(program, static_cast<int>(arguments.size()), arguments.data());
}

// The message of the UsageError that parsing throws, or "no error".
std::string error_of(const Program& program, const std::vector<const char*>& arguments) {
  try {
    parse_with(program, arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TrainOptionsTest, DefaultsAreLibsvms) {
  const TrainSettings settings;
  EXPECT_EQ(settings.param.svm_type, C_SVC);
  EXPECT_EQ(settings.param.kernel_type, RBF);
  EXPECT_EQ(settings.param.degree, 3);
  EXPECT_EQ(settings.param.gamma, 0);
  EXPECT_EQ(settings.param.coef0, 0);
  EXPECT_EQ(settings.param.cache_size, 100);
  EXPECT_EQ(settings.param.eps, 0.001);
  EXPECT_EQ(settings.param.C, 1);
  EXPECT_EQ(settings.param.nr_weight, 0);
  EXPECT_EQ(settings.param.nu, 0.5);
  EXPECT_EQ(settings.param.p, 0.1);
  EXPECT_EQ(settings.param.shrinking, 1);
  EXPECT_EQ(settings.param.probability, 0);
  EXPECT_FALSE(settings.cross_validation());
  EXPECT_FALSE(settings.quiet);
}

// The choices of -a are the names in --list-solvers, and every choice is accepted.
TEST(TrainOptionsTest, ChoicesAreTaken) {
  TrainSettings settings;
  const Program program = train_program(settings);
  for (const Option& option : program.options) {
    for (const std::string& choice : option.choices) {
      EXPECT_EQ(error_of(program, {option.name.c_str(), choice.c_str(), "data"}), "no error")
          << option.name << ' ' << choice;
    }
    if (option.name != "-a") continue;
    std::vector<std::string> listed;
    std::istringstream table(svm_list_solvers());
    std::string line;
    std::getline(table, line);  // the column titles
    while (std::getline(table, line)) {
      if (line[0] != ' ') listed.push_back(line.substr(0, line.find(' ')));
    }
    EXPECT_EQ(option.choices, listed);
  }
}

TEST(TrainOptionsTest, EveryOption) {
  TrainSettings settings;
  parse_with(train_program(settings),
             {"-s", "1",  "-t", "3",  "-d", "4",   "-g",  "5",    "-r",  "6",   "-c",
              "7",  "-n", "8",  "-p", "9",  "-m",  "10",  "-e",   "11",  "-h",  "12",
              "-b", "13", "-v", "14", "-q", "-w3", "1.5", "-w-2", "2.5", "data"});
  settings.finish();
  EXPECT_EQ(settings.param.svm_type, 1);
  EXPECT_EQ(settings.param.kernel_type, 3);
  EXPECT_EQ(settings.param.degree, 4);
  EXPECT_EQ(settings.param.gamma, 5);
  EXPECT_EQ(settings.param.coef0, 6);
  EXPECT_EQ(settings.param.C, 7);
  EXPECT_EQ(settings.param.nu, 8);
  EXPECT_EQ(settings.param.p, 9);
  EXPECT_EQ(settings.param.cache_size, 10);
  EXPECT_EQ(settings.param.eps, 11);
  EXPECT_EQ(settings.param.shrinking, 12);
  EXPECT_EQ(settings.param.probability, 13);
  EXPECT_TRUE(settings.cross_validation());
  EXPECT_EQ(settings.folds, 14);
  EXPECT_TRUE(settings.quiet);
  ASSERT_EQ(settings.param.nr_weight, 2);
  EXPECT_EQ(settings.param.weight_label[0], 3);
  EXPECT_EQ(settings.param.weight_label[1], -2);
  EXPECT_EQ(settings.param.weight[0], 1.5);
  EXPECT_EQ(settings.param.weight[1], 2.5);
}

TEST(TrainOptionsTest, OneFoldIsRefusedInLibsvmsWords) {
  TrainSettings settings;
  EXPECT_EQ(error_of(train_program(settings), {"-v", "1", "data"}),
            "n-fold cross validation: n must >= 2\nsvm-train: option -v: 1 is too small");
}

// Defaults stand at the end of an option's text, and no line is longer than a terminal.
TEST(Help, FitsATerminal) {
  AllPrograms all;
  for (const Program& program : all.tables) {
    for (const Option& option : program.options) {
      EXPECT_EQ(option.help.find("(default"), std::string::npos) << option.name;
    }
    std::istringstream help(help_text(program, 80));
    for (std::string line; std::getline(help, line);) EXPECT_LT(line.size(), 80U) << line;
  }
}

// Both programs share the code of some options.
TEST(GridOptionsTest, ErrorsNameTheProgramThatRuns) {
  GridSettings grid;
  TrainSettings train;
  for (const std::vector<const char*>& line : {std::vector<const char*>{"-v", "1", "data"},
                                               {"-a", "nosuch", "data"},
                                               {"--free-set", "bad", "data"},
                                               {"--max-iter", "0", "data"},
                                               {"-m", "x", "data"},
                                               {"--threads=0", "data"}}) {
    std::string expected = error_of(train_program(train), line);
    const std::size_t name = expected.find("svm-train: option ");
    ASSERT_NE(name, std::string::npos) << expected;
    expected.replace(name, 9, "svm-grid");
    EXPECT_EQ(error_of(grid_program(grid), line), expected);
  }
  EXPECT_EQ(error_of(grid_program(grid), {"-out", "", "data"}),
            "svm-grid: option -out: the file name is empty");
  EXPECT_EQ(error_of(grid_program(grid), {"--gammas", "2:1", "data"}),
            "svm-grid: option --gammas: '2:1' is not of the form B:E with 0 <= B < E");
}

TEST(PredictOptionsTest, EveryOption) {
  PredictSettings settings;
  parse_with(predict_program(settings),
             {"-b", "1", "-q", "--threads", "3", "test", "model", "out"});
  EXPECT_TRUE(settings.probability);
  EXPECT_EQ(settings.threads, 3U);
  EXPECT_TRUE(settings.quiet);
}

TEST(PredictOptionsTest, NeedsThreeFiles) {
  PredictSettings settings;
  EXPECT_THROW(parse_with(predict_program(settings), {"test", "model"}), UsageError);
  EXPECT_THROW(parse_with(predict_program(settings), {"-b"}), UsageError);
}

TEST(ScaleOptionsTest, EveryOption) {
  ScaleSettings settings;
  EXPECT_EQ(settings.lower, -1);
  EXPECT_EQ(settings.upper, 1);
  EXPECT_FALSE(settings.scale_target);
  parse_with(scale_program(settings),
             {"-l", "-2", "-u", "3", "-y", "-4", "5", "-s", "save", "-r", "restore", "data"});
  EXPECT_EQ(settings.lower, -2);
  EXPECT_EQ(settings.upper, 3);
  EXPECT_TRUE(settings.scale_target);
  EXPECT_EQ(settings.y_lower, -4);
  EXPECT_EQ(settings.y_upper, 5);
  EXPECT_EQ(settings.save_file, "save");
  EXPECT_EQ(settings.restore_file, "restore");
}

TEST(ScaleOptionsTest, OneFileOnly) {
  ScaleSettings settings;
  EXPECT_THROW(parse_with(scale_program(settings), {"a", "b"}), UsageError);
  EXPECT_THROW(parse_with(scale_program(settings), {"-y", "1"}), UsageError);
  EXPECT_THROW(parse_with(scale_program(settings), {"-s", "", "a"}), UsageError);
}

}  // namespace
}  // namespace svm::cli
