// Predicts dense rows of floats by svm_predict_rows, and by another LIBSVM's svm_predict in a loop,
// in turns.
//
//   predict_rows DATA MODEL PEER_LIBRARY [ROWS [SAMPLE [RUNS]]]
//
// The rows of DATA are repeated up to ROWS (100000).  The peer, which gets svm_nodes ready made,
// predicts SAMPLE of them (1000), spread over all, and its time is multiplied by ROWS / SAMPLE.
// Prints, for one thread and for two, medians over RUNS (5) runs of elapsed and processor seconds,
// and their ratios.  Exits with status 1 if a prediction differs.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <stdexcept>
#include <vector>

#include "programs/cli/files.h"
#include "programs/data/dataset.h"
#include "svm_ext.h"

namespace {

// Elapsed time, and processor time, which other programs on a busy machine affect less.
struct Seconds {
  Seconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    elapsed = std::chrono::duration<double>(now).count();
    busy = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  }
  double elapsed, busy;
};

struct Times {
  void add(const Seconds& start, double factor) {
    const Seconds end;
    elapsed.push_back((end.elapsed - start.elapsed) * factor);
    busy.push_back((end.busy - start.busy) * factor);
  }
  std::vector<double> elapsed, busy;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::size_t number(char** argv, int argc, int place, std::size_t otherwise) {
  return argc > place ? static_cast<std::size_t>(std::atoll(argv[place])) : otherwise;
}

// Another LIBSVM, which is never unloaded.
class Peer {
 public:
  Peer(const char* library, const char* model) {
    void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) throw std::runtime_error(dlerror());
    const auto load = function<svm_model*(const char*)>(handle, "svm_load_model");
    predict_ = function<double(const svm_model*, const svm_node*)>(handle, "svm_predict");
    model_ = load(model);
    if (model_ == nullptr) throw std::runtime_error("the peer cannot read the model");
  }
  double predict(const svm_node* row) const { return predict_(model_, row); }

 private:
  template <typename Function>
  static Function* function(void* handle, const char* name) {
    void* const found = dlsym(handle, name);
    if (found == nullptr) throw std::runtime_error(dlerror());
    return reinterpret_cast<Function*>(found);
  }

  double (*predict_)(const svm_model*, const svm_node*) = nullptr;
  svm_model* model_ = nullptr;
};

struct Rows {
  Rows(svm::Dataset& data, std::size_t wanted)
      : columns(static_cast<std::size_t>(data.max_index())), values(wanted * columns) {
    const svm_problem problem = data.problem();
    for (std::size_t i = 0; i < wanted; ++i) {
      float* const row = values.data() + i * columns;
      const svm_node* node = problem.x[i % static_cast<std::size_t>(problem.l)];
      for (; node->index != -1; ++node) row[node->index - 1] = static_cast<float>(node->value);
    }
  }

  std::vector<svm_node> nodes(std::size_t i) const {
    std::vector<svm_node> row;
    for (std::size_t c = 0; c < columns; ++c) {
      const double value = static_cast<double>(values[i * columns + c]);
      if (value != 0) row.push_back({static_cast<int>(c) + 1, value});
    }
    row.push_back({-1, 0});
    return row;
  }

  std::size_t columns;
  std::vector<float> values;
};

int compare(int argc, char** argv) {
  const std::size_t count = number(argv, argc, 4, 100000);
  const std::size_t sample = std::min(count, number(argv, argc, 5, 1000));
  const std::size_t runs = number(argv, argc, 6, 5);
  svm::Dataset data(svm::cli::open_input(argv[1]).get(), svm::RowRules());
  const Rows rows(data, count);
  const svm_model* const model = svm_load_model(argv[2]);
  if (model == nullptr) throw std::runtime_error("cannot read the model");
  const Peer peer(argv[3], argv[2]);
  std::vector<std::vector<svm_node>> nodes;
  for (std::size_t k = 0; k < sample; ++k) nodes.push_back(rows.nodes(k * (count / sample)));

  svm_rows view{};
  view.size = sizeof(view);
  view.rows = count;
  view.columns = view.stride = rows.columns;
  view.layout = SVM_DENSE;
  view.value_type = SVM_FLOAT;
  view.values = rows.values.data();
  std::printf("%s: %zu rows of %zu floats, %d support vectors; the peer predicts %zu\n", argv[1],
              count, rows.columns, svm_get_nr_sv(model), sample);
  std::vector<double> predictions(count), peer_predictions(sample);
  bool same = true;
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    Times own_times, peer_times;
    for (std::size_t run = 0; run < runs; ++run) {
      const Seconds peer_start;
      for (std::size_t k = 0; k < sample; ++k) {
        peer_predictions[k] = peer.predict(nodes[k].data());
      }
      peer_times.add(peer_start, static_cast<double>(count) / static_cast<double>(sample));
      const Seconds start;
      svm_predictor* const predictor = svm_make_predictor(model, 0);
      if (predictor == nullptr ||
          svm_predict_rows(predictor, &view, threads, predictions.data(), nullptr, nullptr) != 0) {
        throw std::runtime_error(svm_last_error());
      }
      svm_free_predictor(predictor);
      own_times.add(start, 1);
      for (std::size_t k = 0; k < sample; ++k) {
        same = same && predictions[k * (count / sample)] == peer_predictions[k];
      }
    }
    const double own = median(own_times.elapsed), peer_time = median(peer_times.elapsed);
    const double own_busy = median(own_times.busy), peer_busy = median(peer_times.busy);
    std::printf("threads %zu: elapsed %.3f s, peer %.1f s, ratio %.1f; ", threads, own, peer_time,
                peer_time / own);
    std::printf("processors %.3f s, peer %.1f s, ratio %.1f\n", own_busy, peer_busy,
                peer_busy / own_busy);
    std::fflush(stdout);
  }
  if (!same) std::printf("PREDICTIONS DIFFER\n");
  return same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "predict_rows DATA MODEL PEER_LIBRARY [ROWS [SAMPLE [RUNS]]]\n");
    return 1;
  }
  try {
    return compare(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
