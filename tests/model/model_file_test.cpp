// Reading and writing models: accepted texts, refusals and their messages.
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/model_texts.h"
#include "tests/temp_dir.h"
#include "tests/text.h"
#include "tests/warnings.h"

namespace svm {
namespace {

using test::kOneLabel;
using test::kPrecomputed;
using test::kRegression;
using test::kThreeClasses;
using test::OwnedModel;
using test::parsed;
using test::replaced;
using test::valid_models;
using test::written;

// `legacy` is LIBSVM's line, which svm_load_model warns of first.
void expect_error(const std::string& text, const std::string& detail,
                  const std::string& legacy = {}) {
  SCOPED_TRACE(text);
  EXPECT_EQ(parsed(text), nullptr);
  EXPECT_EQ(test::refusal(), detail);
  const test::TempDir folder;
  const std::string file = folder.write("model", text);
  const test::Warnings warnings;
  EXPECT_EQ(OwnedModel(svm_load_model(file.c_str())), nullptr);
  EXPECT_EQ(warnings.take(), (legacy.empty() ? legacy : legacy + "\n") +
                                 "ERROR: fscanf failed to read model\n" + file + ": " + detail +
                                 "\n");
}

// `from` -> `to` in the model of three classes.
void expect_change_error(const std::string& from, const std::string& to, const std::string& detail,
                         const std::string& legacy = {}) {
  expect_error(replaced(kThreeClasses, from, to), detail, legacy);
}

TEST(ModelFile, WritesWhatItReads) {
  for (const std::string& text : valid_models()) {
    EXPECT_EQ(written(*parsed(text)), text);
  }
}

TEST(ModelFile, FillsTheModel) {
  const OwnedModel model = parsed(kThreeClasses);
  EXPECT_EQ(model->param.svm_type, C_SVC);
  EXPECT_EQ(model->param.kernel_type, POLY);
  EXPECT_EQ(model->param.degree, 3);
  EXPECT_EQ(model->param.gamma, 0.25);
  EXPECT_EQ(model->param.coef0, -1.5);
  EXPECT_EQ(model->param.nr_weight, 0);
  EXPECT_EQ(model->param.weight, nullptr);
  EXPECT_EQ(model->param.weight_label, nullptr);
  EXPECT_EQ(model->nr_class, 3);
  EXPECT_EQ(model->l, 4);
  EXPECT_EQ(model->rho[1], -0.1);
  EXPECT_TRUE(std::isnan(model->rho[2]));
  EXPECT_EQ(model->label[2], 7);
  EXPECT_EQ(model->probA[2], -3);
  EXPECT_EQ(model->probB[0], 0.5);
  EXPECT_EQ(model->prob_density_marks, nullptr);
  EXPECT_EQ(model->sv_indices, nullptr);
  EXPECT_EQ(model->nSV[0], 2);
  EXPECT_EQ(model->free_sv, 1);
  EXPECT_EQ(model->sv_coef[0][1], 0.33333333333333331);
  EXPECT_EQ(model->sv_coef[1][3], -0.5);
  EXPECT_EQ(model->SV[0][1].index, 3);
  EXPECT_EQ(model->SV[0][1].value, -1);
  EXPECT_EQ(model->SV[0][2].index, -1);
  EXPECT_EQ(model->SV[2][0].index, -1);
  EXPECT_EQ(model->SV[3][1].index, 2147483647);
  // All rows are in one block.
  EXPECT_EQ(model->SV[1], model->SV[0] + 3);
}

TEST(ModelFile, ValuesAreShortened) {
  const OwnedModel model = parsed(kRegression);
  model->SV[0][0].value = 0.123456789;
  model->sv_coef[0][0] = 0.1;
  const std::string text = written(*model);
  EXPECT_NE(text.find("\n0.10000000000000001 1:0.12345679 \n"), std::string::npos) << text;
}

TEST(ModelFile, LargeModelsSurvive) {
  const std::size_t rows = 20000;  // more than one piece of text
  std::string text = replaced(kRegression, "total_sv 2", "total_sv " + std::to_string(rows));
  text.erase(text.find("SV\n-") + 3);
  for (std::size_t i = 0; i < rows; ++i) text += "-0.5 1:" + std::to_string(i) + " \n";
  EXPECT_EQ(written(*parsed(text)), text);
}

TEST(ModelFile, ReadsWhatLibsvmReads) {
  // Carriage returns, no final newline, lines after the last support vector, text behind SV.
  std::string crlf;
  for (const char c : kThreeClasses) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(written(*parsed(crlf)), kThreeClasses);
  EXPECT_EQ(written(*parsed(kThreeClasses.substr(0, kThreeClasses.size() - 2))), kThreeClasses);
  EXPECT_EQ(written(*parsed(kThreeClasses + "\nmore\n")), kThreeClasses);
  EXPECT_EQ(written(*parsed(replaced(kThreeClasses, "SV\n", "SV and more\n"))), kThreeClasses);
  EXPECT_EQ(written(*parsed(kOneLabel.substr(0, kOneLabel.size() - 1))), kOneLabel);
  // Any order, any white space.
  EXPECT_EQ(written(*parsed("nr_class\t2 total_sv 1\n rho  0x1p-1\nkernel_type linear\n"
                            "svm_type nu_svr\nSV\n+1 1:1")),
            "svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0.5\nSV\n1 1:1 \n");
  // One support vector of a single character.
  EXPECT_EQ(parsed("svm_type nu_svr kernel_type linear nr_class 2 total_sv 1 rho 0 SV\n1")->l, 1);
}

TEST(ModelFile, RefusesMalformedHeaders) {
  expect_error("", "the file is empty");
  expect_error("\n", "line 2, column 1: the file ends before the line SV");
  expect_error("SV\n", "line 1, column 3: the header lacks svm_type");
  expect_change_error("c_svc", "d_svc",
                      "line 1, column 10: 'd_svc': not one of the types of LIBSVM",
                      "unknown svm type.");
  expect_change_error("polynomial", "poly",
                      "line 2, column 13: 'poly': not one of the types of LIBSVM",
                      "unknown kernel function.");
  expect_change_error("degree", "degre", "line 3, column 1: 'degre': not a word of a model header",
                      "unknown text in model file: [degre]");
  const std::string long_word(200, 'w');
  expect_change_error(
      "degree", long_word,
      "line 3, column 1: '" + std::string(40, 'w') + "...': not a word of a model header",
      "unknown text in model file: [" + std::string(80, 'w') + "]");
  expect_change_error("degree 3", "degree 3.5",
                      "line 3, column 8: '3.5': degree is not an integer");
  expect_change_error("degree 3", "degree -3", "line 3, column 1: 'degree': must not be negative");
  expect_change_error("0.25\n", "0.25x\n", "line 4, column 7: '0.25x': gamma is not a number");
  expect_change_error("0.25\n", "nan\n", "line 4, column 7: 'nan': gamma must be finite");
  expect_change_error("0.25\n", "1e999\n", "line 4, column 7: '1e999': gamma is too large");
  expect_change_error("-1.5", "inf", "line 5, column 7: 'inf': coef0 must be finite");
  expect_change_error("nr_class 3", "nr_class -3",
                      "line 6, column 1: 'nr_class': must be at least 1");
  expect_error(replaced(kOneLabel, "nr_class 1", "nr_class 0"),
               "line 3, column 1: 'nr_class': must be at least 1");
  expect_change_error("nr_class 3", "nr_class 4294967299",
                      "line 6, column 10: '4294967299': nr_class does not fit an int");
  expect_change_error("nr_class 3\n", "",
                      "line 7, column 1: 'rho': nr_class must come before this list");
  expect_change_error("total_sv 4", "total_sv -4",
                      "line 7, column 1: 'total_sv': must not be negative");
  expect_change_error("degree 3", "degree 3\ndegree 3",
                      "line 4, column 1: 'degree': appears twice");
  expect_change_error("label 1 -2 7", "label 1 -2",
                      "line 10, column 1: 'probA': label is not an integer");
  expect_change_error("rho 0.5", "rho 0.5 1",
                      "line 8, column 32: 'nan': not a word of a model header",
                      "unknown text in model file: [nan]");
  expect_change_error("nr_sv 2 1 1", "nr_sv 2 3 -1",
                      "line 12, column 1: 'nr_sv': must not be negative");
  expect_change_error("nr_sv 2 1 1", "nr_sv 2 1 2",
                      "line 13, column 3: the numbers of nr_sv sum to 5, but total_sv is 4");
  expect_change_error(
      "nr_sv 2 1 1", "nr_sv 2147483647 2147483647 2147483647",
      "line 13, column 3: the numbers of nr_sv sum to 6442450941, but total_sv is 4");
  for (const std::string line : {"svm_type c_svc\n", "kernel_type polynomial\n", "total_sv 4\n",
                                 "rho 0.5 -0.10000000000000001 nan\n"}) {
    expect_change_error(line, "",
                        "line 12, column 3: the header lacks " + line.substr(0, line.find(' ')));
  }
  for (const std::string line : {"degree 3\n", "gamma 0.25\n", "coef0 -1.5\n"}) {
    expect_change_error(line, "",
                        "line 12, column 3: the header lacks " + line.substr(0, line.find(' ')) +
                            ", which its kernel needs");
  }
  for (const std::string line : {"label 1 -2 7\n", "nr_sv 2 1 1\n"}) {
    expect_change_error(line, "",
                        "line 12, column 3: the header lacks " + line.substr(0, line.find(' ')) +
                            ", which classification needs");
  }
  expect_error(replaced(kRegression, "nr_class 2", "nr_class 3"),
               "line 8, column 1: 'probA': rho is not a number");
  expect_error(
      replaced(replaced(kRegression, "nr_class 2", "nr_class 1"), "rho -inf\nprobA 0.125", "rho"),
      "line 8, column 3: nr_class must be 2 for regression and one-class, not 1");
  expect_error(replaced(kOneLabel, "total_sv 0", "total_sv 1"),
               "line 8, column 3: total_sv must be 0 for fewer than two classes, not 1");
  expect_error(kThreeClasses.substr(0, kThreeClasses.find("SV\n1")),
               "line 13, column 1: the file ends before the line SV");
}

TEST(ModelFile, RefusesCountsBeyondTheText) {
  expect_change_error("nr_class 3", "nr_class 2147483647",
                      "line 8, column 1: 'rho': 2305843005992468481 values are expected, more than "
                      "the file holds");
  expect_change_error("nr_class 3", "nr_class 30",
                      "line 8, column 1: 'rho': 435 values are expected, more than the file holds");
  const std::string many = replaced(kRegression, "total_sv 2", "total_sv 2147483647");
  expect_error(many,
               "line 10, column 1: total_sv announces 2147483647 support vectors, more than the "
               "file holds");
  expect_error(replaced(kRegression, "total_sv 2", "total_sv 3"),
               "line 12, column 1: the file ends after 2 of 3 support vectors");
}

// As LIBSVM writes and reads them for a nu-SVC without a margin.
TEST(ModelFile, CoefficientsMayBeInfinite) {
  const std::string text = replaced(kThreeClasses, "-1 1 \n", "-inf nan \n");
  const OwnedModel model = parsed(text);
  EXPECT_EQ(model->sv_coef[0][2], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(model->sv_coef[1][2]));
  EXPECT_EQ(written(*model), text);
}

TEST(ModelFile, CompressedOnesAreNamed) {
  expect_error("\x1F\x8B\x08 ...",
               "the file is compressed; gzip -d decompresses it, and zcat FILE | ... /dev/stdin "
               "reads it");
}

TEST(ModelFile, RefusesMalformedSupportVectors) {
  expect_change_error("-1 1 \n", "\n", "line 16, column 1: expected 2 coefficients, found 0");
  expect_change_error("-1 1 \n", "-1\n", "line 16, column 3: expected 2 coefficients, found 1");
  expect_change_error("-1 1 \n", "-1 1:1\n",
                      "line 16, column 4: '1:1': expected 2 coefficients, found 1");
  expect_change_error("-1 1 \n", "-1 1e400\n",
                      "line 16, column 4: '1e400': a coefficient is too large for a double");
  expect_change_error("3:-1", "3", "line 14, column 14: '3': expected index:value");
  expect_change_error("3:-1", "x:1", "line 14, column 14: 'x:1': expected index:value");
  expect_change_error("3:-1", "3:", "line 14, column 14: '3:': the value is not a number");
  expect_change_error("3:-1", "3:1:1", "line 14, column 14: '3:1:1': the value is not a number");
  expect_change_error("3:-1", "3:inf", "line 14, column 14: '3:inf': the value must be finite");
  expect_change_error("3:-1", "-1:1", "line 14, column 14: '-1:1': the index is negative");
  expect_change_error(
      "3:-1", "1:1",
      "line 14, column 14: '1:1': the index does not come after 1; indices must ascend");
  expect_change_error("2147483647:0", "2147483648:0",
                      "line 17, column 13: '2147483648:0': the index does not fit an int");
  const std::string serial =
      "with a precomputed kernel a support vector is 0:serial_number, from 1";
  for (const std::string wrong : {"", "1:3", "0:0", "0:1.5", "0:3000000000"}) {
    expect_error(replaced(kPrecomputed, "0:3", wrong),
                 "line 9, column 1: '1 " + wrong + " ': " + serial);
  }
}

TEST(ModelFile, RefusesToWriteUnknownTypes) {
  const OwnedModel model = parsed(kRegression);
  model->param.kernel_type = 5;
  EXPECT_EQ(written(*model), "");
  model->param.kernel_type = LINEAR;
  model->param.svm_type = -1;
  EXPECT_EQ(written(*model), "");
  const test::TempDir folder;
  EXPECT_EQ(svm_save_model(folder.file("model").c_str(), model.get()), -1);
  EXPECT_EQ(folder.count(), 0U);
}

}  // namespace
}  // namespace svm
