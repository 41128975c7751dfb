// Trains a linear solver on rows that landmarks embed, the third solver of the paper on Snacks.
//
//   landmark_dcd TRAIN TEST GAMMA C LANDMARKS
//
// The embedding is that of snacks and pegasos with the Gaussian kernel (docs/nystrom.md), in memory
// as a whole, and the solver dcd --as-published at the tolerance of LIBLINEAR, 0.1, which is ended
// after a minute.  Prints processor seconds of the embedding of the training rows and of the
// training, steps, and the error on the test rows in percent and F1 of the positive class.
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
#include <vector>

#include "model/model_memory.h"
#include "programs/cli/files.h"
#include "programs/data/dataset.h"
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
  std::vector<float> values;
  svm_rows view;
};

void run(const svm_problem& train, const svm_problem& test, double gamma, double cost,
         std::size_t landmarks) {
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
  svm::Draws draws(0);
  const svm::NystromEmbedding embedding(problem, svm::uniform_landmarks(size, landmarks, draws),
                                        services);
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
  std::printf("%.3f %.3f %lld %.4f %.4f\n", embedding_seconds, seconds, result.iterations,
              100 * static_cast<double>(wrong) / static_cast<double>(tests),
              2 * static_cast<double>(hits) / static_cast<double>(positive + found));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: %s train test gamma C landmarks\n", argv[0]);
    return 1;
  }
  try {
    const svm::FilePtr files[] = {svm::cli::open_input(argv[1]), svm::cli::open_input(argv[2])};
    svm::Dataset train(files[0].get(), svm::RowRules()), test(files[1].get(), svm::RowRules());
    run(train.problem(), test.problem(), std::atof(argv[3]), std::atof(argv[4]),
        std::strtoul(argv[5], nullptr, 10));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
