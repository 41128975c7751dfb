// Sizes and offsets of the structures of svm.h, as compiled into programs for LIBSVM 3.37 or for an
// earlier version of this library.
#include <climits>
#include <cstddef>

#include <gtest/gtest.h>

#include "svm.h"

namespace {

#if defined(__LP64__)
static_assert(sizeof(svm_node) == 16 && sizeof(svm_problem) == 24, "LIBSVM's layout");
static_assert(sizeof(svm_parameter) == 104 && sizeof(svm_model) == 192, "LIBSVM's layout");

TEST(AbiLayout, Node) {
  EXPECT_EQ(sizeof(svm_node), 16U);
  EXPECT_EQ(offsetof(svm_node, index), 0U);
  EXPECT_EQ(offsetof(svm_node, value), 8U);
}

TEST(AbiLayout, Problem) {
  EXPECT_EQ(sizeof(svm_problem), 24U);
  EXPECT_EQ(offsetof(svm_problem, l), 0U);
  EXPECT_EQ(offsetof(svm_problem, y), 8U);
  EXPECT_EQ(offsetof(svm_problem, x), 16U);
}

TEST(AbiLayout, Parameter) {
  EXPECT_EQ(sizeof(svm_parameter), 104U);
  EXPECT_EQ(offsetof(svm_parameter, svm_type), 0U);
  EXPECT_EQ(offsetof(svm_parameter, kernel_type), 4U);
  EXPECT_EQ(offsetof(svm_parameter, degree), 8U);
  EXPECT_EQ(offsetof(svm_parameter, gamma), 16U);
  EXPECT_EQ(offsetof(svm_parameter, coef0), 24U);
  EXPECT_EQ(offsetof(svm_parameter, cache_size), 32U);
  EXPECT_EQ(offsetof(svm_parameter, eps), 40U);
  EXPECT_EQ(offsetof(svm_parameter, C), 48U);
  EXPECT_EQ(offsetof(svm_parameter, nr_weight), 56U);
  EXPECT_EQ(offsetof(svm_parameter, weight_label), 64U);
  EXPECT_EQ(offsetof(svm_parameter, weight), 72U);
  EXPECT_EQ(offsetof(svm_parameter, nu), 80U);
  EXPECT_EQ(offsetof(svm_parameter, p), 88U);
  EXPECT_EQ(offsetof(svm_parameter, shrinking), 96U);
  EXPECT_EQ(offsetof(svm_parameter, probability), 100U);
}

TEST(AbiLayout, Model) {
  EXPECT_EQ(sizeof(svm_model), 192U);
  EXPECT_EQ(offsetof(svm_model, param), 0U);
  EXPECT_EQ(offsetof(svm_model, nr_class), 104U);
  EXPECT_EQ(offsetof(svm_model, l), 108U);
  EXPECT_EQ(offsetof(svm_model, SV), 112U);
  EXPECT_EQ(offsetof(svm_model, sv_coef), 120U);
  EXPECT_EQ(offsetof(svm_model, rho), 128U);
  EXPECT_EQ(offsetof(svm_model, probA), 136U);
  EXPECT_EQ(offsetof(svm_model, probB), 144U);
  EXPECT_EQ(offsetof(svm_model, prob_density_marks), 152U);
  EXPECT_EQ(offsetof(svm_model, sv_indices), 160U);
  EXPECT_EQ(offsetof(svm_model, label), 168U);
  EXPECT_EQ(offsetof(svm_model, nSV), 176U);
  EXPECT_EQ(offsetof(svm_model, free_sv), 184U);
}

// The library's own structures.  A later version may add members at the end, but never move these;
// and none ends in padding, where a later member would be read from earlier programs.
static_assert(offsetof(svm_options, problem_room) + sizeof(std::size_t) == sizeof(svm_options));
static_assert(offsetof(svm_progress, reserved) + sizeof(int) == sizeof(svm_progress));
static_assert(offsetof(svm_result, seconds) + sizeof(double) == sizeof(svm_result));
static_assert(offsetof(svm_save_options, feature_digits) + sizeof(int) == sizeof(svm_save_options));
static_assert(offsetof(svm_model_arrays, sv_indices) + sizeof(void*) == sizeof(svm_model_arrays));
static_assert(offsetof(svm_problem_view, y) + sizeof(void*) == sizeof(svm_problem_view));

TEST(AbiLayout, Options) {
  EXPECT_EQ(offsetof(svm_options, size), 0U);
  EXPECT_EQ(offsetof(svm_options, solver), 8U);
  EXPECT_EQ(offsetof(svm_options, max_iterations), 16U);
  EXPECT_EQ(offsetof(svm_options, time_limit), 24U);
  EXPECT_EQ(offsetof(svm_options, use_seed), 32U);
  EXPECT_EQ(offsetof(svm_options, seed), 36U);
  EXPECT_EQ(offsetof(svm_options, progress), 40U);
  EXPECT_EQ(offsetof(svm_options, progress_user), 48U);
  EXPECT_EQ(offsetof(svm_options, print), 56U);
  EXPECT_EQ(offsetof(svm_options, print_user), 64U);
  EXPECT_EQ(offsetof(svm_options, free_set), 72U);
  EXPECT_EQ(offsetof(svm_options, threads), 80U);
  EXPECT_EQ(offsetof(svm_options, init), 88U);
  EXPECT_EQ(offsetof(svm_options, fixed_threshold), 96U);
  EXPECT_EQ(offsetof(svm_options, bias), 104U);
  EXPECT_EQ(offsetof(svm_options, landmarks), 112U);
  EXPECT_EQ(offsetof(svm_options, landmark_sampling), 120U);
  EXPECT_EQ(offsetof(svm_options, reserved), 124U);
  EXPECT_EQ(offsetof(svm_options, row_weights), 128U);
  EXPECT_EQ(offsetof(svm_options, random), 136U);
  EXPECT_EQ(offsetof(svm_options, random_user), 144U);
  EXPECT_EQ(offsetof(svm_options, warn), 152U);
  EXPECT_EQ(offsetof(svm_options, warn_user), 160U);
  EXPECT_EQ(offsetof(svm_options, random_below), 168U);
  EXPECT_EQ(offsetof(svm_options, random_below_user), 176U);
  EXPECT_EQ(offsetof(svm_options, problem_iterations), 184U);
  EXPECT_EQ(offsetof(svm_options, problem_status), 192U);
  EXPECT_EQ(offsetof(svm_options, problem_room), 200U);
  EXPECT_EQ(sizeof(svm_options), 208U);
}

TEST(AbiLayout, ModelArrays) {
  EXPECT_EQ(offsetof(svm_model_arrays, size), 0U);
  EXPECT_EQ(offsetof(svm_model_arrays, param), 8U);
  EXPECT_EQ(offsetof(svm_model_arrays, sv), 16U);
  EXPECT_EQ(offsetof(svm_model_arrays, nr_class), 24U);
  EXPECT_EQ(offsetof(svm_model_arrays, l), 28U);
  EXPECT_EQ(offsetof(svm_model_arrays, sv_coef), 32U);
  EXPECT_EQ(offsetof(svm_model_arrays, rho), 40U);
  EXPECT_EQ(offsetof(svm_model_arrays, label), 48U);
  EXPECT_EQ(offsetof(svm_model_arrays, nr_sv), 56U);
  EXPECT_EQ(offsetof(svm_model_arrays, prob_a), 64U);
  EXPECT_EQ(offsetof(svm_model_arrays, prob_b), 72U);
  EXPECT_EQ(offsetof(svm_model_arrays, prob_density_marks), 80U);
  EXPECT_EQ(offsetof(svm_model_arrays, sv_indices), 88U);
  EXPECT_EQ(sizeof(svm_model_arrays), 96U);
}

TEST(AbiLayout, Progress) {
  EXPECT_EQ(offsetof(svm_progress, size), 0U);
  EXPECT_EQ(offsetof(svm_progress, problem), 8U);
  EXPECT_EQ(offsetof(svm_progress, iterations), 16U);
  EXPECT_EQ(offsetof(svm_progress, total_iterations), 24U);
  EXPECT_EQ(offsetof(svm_progress, seconds), 32U);
  EXPECT_EQ(offsetof(svm_progress, objective), 40U);
  EXPECT_EQ(offsetof(svm_progress, violation), 48U);
  EXPECT_EQ(offsetof(svm_progress, active), 56U);
  EXPECT_EQ(offsetof(svm_progress, variables), 64U);
  EXPECT_EQ(offsetof(svm_progress, kernel_rows), 72U);
  EXPECT_EQ(offsetof(svm_progress, finished), 80U);
  EXPECT_EQ(offsetof(svm_progress, reserved), 84U);
  EXPECT_EQ(sizeof(svm_progress), 88U);
}

TEST(AbiLayout, Result) {
  EXPECT_EQ(offsetof(svm_result, size), 0U);
  EXPECT_EQ(offsetof(svm_result, status), 8U);
  EXPECT_EQ(offsetof(svm_result, problems), 16U);
  EXPECT_EQ(offsetof(svm_result, iterations), 24U);
  EXPECT_EQ(offsetof(svm_result, conjugate_steps), 32U);
  EXPECT_EQ(offsetof(svm_result, clipped_steps), 40U);
  EXPECT_EQ(offsetof(svm_result, phases), 48U);
  EXPECT_EQ(offsetof(svm_result, objective), 56U);
  EXPECT_EQ(offsetof(svm_result, violation), 64U);
  EXPECT_EQ(offsetof(svm_result, kernel_rows), 72U);
  EXPECT_EQ(offsetof(svm_result, kernel_seconds), 80U);
  EXPECT_EQ(offsetof(svm_result, seconds), 88U);
  EXPECT_EQ(sizeof(svm_result), 96U);
}

TEST(AbiLayout, SaveOptions) {
  EXPECT_EQ(offsetof(svm_save_options, size), 0U);
  EXPECT_EQ(offsetof(svm_save_options, number_digits), 8U);
  EXPECT_EQ(offsetof(svm_save_options, feature_digits), 12U);
  EXPECT_EQ(sizeof(svm_save_options), 16U);
}

TEST(AbiLayout, ProblemView) {
  EXPECT_EQ(offsetof(svm_problem_view, size), 0U);
  EXPECT_EQ(offsetof(svm_problem_view, rows), 8U);
  EXPECT_EQ(offsetof(svm_problem_view, columns), 16U);
  EXPECT_EQ(offsetof(svm_problem_view, layout), 24U);
  EXPECT_EQ(offsetof(svm_problem_view, value_type), 28U);
  EXPECT_EQ(offsetof(svm_problem_view, values), 32U);
  EXPECT_EQ(offsetof(svm_problem_view, stride), 40U);
  EXPECT_EQ(offsetof(svm_problem_view, row_starts), 48U);
  EXPECT_EQ(offsetof(svm_problem_view, column_numbers), 56U);
  EXPECT_EQ(offsetof(svm_problem_view, y), 64U);
  EXPECT_EQ(sizeof(svm_problem_view), 72U);
}
#endif

TEST(AbiLayout, Constants) {
  EXPECT_EQ(C_SVC, 0);
  EXPECT_EQ(NU_SVC, 1);
  EXPECT_EQ(ONE_CLASS, 2);
  EXPECT_EQ(EPSILON_SVR, 3);
  EXPECT_EQ(NU_SVR, 4);
  EXPECT_EQ(LINEAR, 0);
  EXPECT_EQ(POLY, 1);
  EXPECT_EQ(RBF, 2);
  EXPECT_EQ(SIGMOID, 3);
  EXPECT_EQ(PRECOMPUTED, 4);
  EXPECT_EQ(LIBSVM_VERSION, 337);
  EXPECT_EQ(libsvm_version, 337);
}

}  // namespace
