// Trains a linear solver on rows that landmarks embed, the third solver of the paper on Snacks.
//
//   landmark_dcd TRAIN TEST GAMMA C LANDMARKS [SEED [SUBSET]]
//
// The embedding is that of snacks and pegasos with the Gaussian kernel (docs/nystrom.md), in memory
// as a whole, and the solver dcd --as-published at the tolerance of LIBLINEAR, 0.1, which is ended
// after a minute.  With SUBSET, landmarks are drawn by randomly pivoted Cholesky from that many
// rows.  Prints processor seconds of the embedding of the training rows, with the choice of
// landmarks, and of the training, steps, the error on the test rows in percent and F1 of the
// positive class, and the mean of K(x, x) - |z|^2 over the training rows.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/model_memory.h"
#include "programs/cli/files.h"
#include "programs/data/dataset.h"
#include "solvers/math/cholesky.h"
#include "solvers/math/draws.h"
#include "solvers/rows/nystrom.h"
#include "svm_ext.h"

namespace {

constexpr double kTolerance = 0.1, kMostSeconds = 60;

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

void drop(const char*, void*) {}

// Embedded rows, of floats.
struct Embedded {
  Embedded(const svm::NystromEmbedding& embedding, std::size_t first, std::size_t count)
      : values((count + svm::kTileRows) * embedding.stride()), view() {
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
    embedding.embed(rows.data(), count, values.data());
    view.size = sizeof(view);
    view.rows = count;
    view.columns = view.stride = embedding.stride();
    view.layout = SVM_DENSE;
    view.value_type = SVM_FLOAT;
    view.values = values.data();
  }
  // K(x, x) - |z|^2 of an embedded row, which the landmarks do not explain.
  double residual(std::size_t row) const {
    const float* const z = values.data() + row * view.stride;
    return std::max(0.0, 1 - std::inner_product(z, z + view.stride, z, 0.0));
  }

  std::vector<float> values;
  svm_rows view;
};

// Landmarks among these rows of the problem by randomly pivoted Cholesky (Chen, Epperly, Tropp,
// Webber, arXiv 2207.06503), in blocks with rejection (Epperly, Tropp, Webber, 2410.03969): a block
// draws candidates with probabilities in proportion to the residuals at its start, and one becomes
// a landmark with the probability of its present residual over that.  Fewer than `count` landmarks
// if they explain all rows.
std::vector<std::uint32_t> pivoted_landmarks(svm::ExampleProblem problem,
                                             const std::vector<std::uint32_t>& rows,
                                             std::size_t count, svm::Draws& draws,
                                             const svm::Run& services) {
  constexpr std::size_t kLeastBlock = 32;
  constexpr double kLeastResidual = 1e-6;  // the ridge of the embedding
  const std::size_t size = problem.size = rows.size();
  problem.rows = problem.rows.select(rows.data());
  std::vector<double> residuals(size, 1.0), sums(size);
  std::vector<std::uint32_t> chosen;
  svm::CholeskyFactor<double> factor;
  while (chosen.size() < count) {
    if (!chosen.empty()) {
      const Embedded embedded(svm::NystromEmbedding(problem, chosen, services), 0, size);
      for (std::size_t t = 0; t < size; ++t) residuals[t] = embedded.residual(t);
    }
    std::partial_sum(residuals.begin(), residuals.end(), sums.begin());
    if (!(sums.back() > kLeastResidual * static_cast<double>(size))) break;
    const std::size_t block = std::max(kLeastBlock, chosen.size());
    for (std::size_t k = 0; k < block && chosen.size() < count; ++k) {
      const double at = draws.fraction() * sums.back();
      const auto row = static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end() - 1, at) -
                                                sums.begin());
      std::vector<double> values(chosen.size());
      for (std::size_t j = 0; j < chosen.size(); ++j) {
        values[j] = problem.kernel.of_rows(problem.rows[row], problem.rows[chosen[j]]);
      }
      std::vector<double> solved = values;
      factor.solve(solved);
      const double residual =
          1 - std::inner_product(values.begin(), values.end(), solved.begin(), 0.0);
      values.push_back(1);
      if (residual > std::max(kLeastResidual, draws.fraction() * residuals[row]) &&
          factor.append(std::move(values))) {
        chosen.push_back(static_cast<std::uint32_t>(row));
      }
    }
  }
  for (std::uint32_t& each : chosen) each = rows[each];
  return chosen;
}

void run(const svm_problem& train, const svm_problem& test, double gamma, double cost,
         std::size_t landmarks, unsigned long seed, std::size_t subset) {
  const auto size = static_cast<std::size_t>(train.l), tests = static_cast<std::size_t>(test.l);
  std::vector<const svm_node*> rows(train.x, train.x + size);
  rows.insert(rows.end(), test.x, test.x + tests);
  svm_parameter param = {};
  param.kernel_type = RBF;
  param.gamma = gamma;
  const svm::ExampleProblem problem = {
      rows.data(), train.y, rows.size(), false, {}, 0, svm::KernelFunction(param), 0, false, 0};
  const double start = processor_seconds();
  const svm::Run services{svm::Messages(nullptr)};
  svm::Draws draws(seed);
  std::vector<std::uint32_t> chosen =
      svm::uniform_landmarks(size, subset > 0 ? subset : landmarks, draws);
  if (subset > 0) chosen = pivoted_landmarks(problem, chosen, landmarks, draws, services);
  const svm::NystromEmbedding embedding(problem, std::move(chosen), services);
  Embedded embedded(embedding, 0, size);
  const double embedding_seconds = processor_seconds() - start;
  param.kernel_type = LINEAR;
  param.C = cost;
  param.eps = kTolerance;
  param.cache_size = 100;
  param.shrinking = 1;
  svm_options options;
  svm_init_options(&options, sizeof(options));
  options.solver = "dcd";
  options.as_published = 1;
  options.time_limit = kMostSeconds;
  options.print = drop;
  options.threads = 1;
  svm_result result = {};
  result.size = sizeof(result);
  const svm::ModelPtr model(svm_train_rows(&embedded.view, train.y, &param, &options, &result));
  if (!model) throw std::runtime_error(svm_last_error());
  const double seconds = processor_seconds() - start - embedding_seconds;
  const Embedded others(embedding, size, tests);
  std::vector<double> predictions(tests);
  const std::unique_ptr<svm_predictor, void (*)(svm_predictor*)> predictor(
      svm_make_predictor(model.get(), 0), svm_free_predictor);
  if (predictor == nullptr || svm_predict_rows(predictor.get(), &others.view, 1, predictions.data(),
                                               nullptr, nullptr) != 0) {
    throw std::runtime_error(svm_last_error());
  }
  std::size_t wrong = 0, hits = 0, positive = 0, found = 0;
  for (std::size_t t = 0; t < tests; ++t) {
    const bool is = test.y[t] > 0, seems = predictions[t] > 0;
    wrong += is != seems ? 1 : 0;
    hits += is && seems ? 1 : 0;
    positive += is ? 1 : 0;
    found += seems ? 1 : 0;
  }
  double residual = 0;
  for (std::size_t t = 0; t < size; ++t) residual += embedded.residual(t);
  std::printf("%.3f %.3f %lld %.4f %.4f %.5f\n", embedding_seconds, seconds, result.iterations,
              100 * static_cast<double>(wrong) / static_cast<double>(tests),
              2 * static_cast<double>(hits) / static_cast<double>(positive + found),
              residual / static_cast<double>(size));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6 || argc > 8) {
    std::fprintf(stderr, "usage: %s train test gamma C landmarks [seed [subset]]\n", argv[0]);
    return 1;
  }
  try {
    const svm::FilePtr files[] = {svm::cli::open_input(argv[1]), svm::cli::open_input(argv[2])};
    svm::Dataset train(files[0].get(), svm::RowRules()), test(files[1].get(), svm::RowRules());
    run(train.problem(), test.problem(), std::atof(argv[3]), std::atof(argv[4]),
        std::strtoul(argv[5], nullptr, 10), argc > 6 ? std::strtoul(argv[6], nullptr, 10) : 0,
        argc > 7 ? std::strtoul(argv[7], nullptr, 10) : 0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
