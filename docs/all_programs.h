// The option tables of all programs, for the pages that are made from them and for their tests.
#ifndef SVM_DOCS_ALL_PROGRAMS_H_
#define SVM_DOCS_ALL_PROGRAMS_H_

#include <vector>

#include "programs/cli/grid_options.h"
#include "programs/cli/options.h"
#include "programs/cli/predict_options.h"
#include "programs/cli/scale_options.h"
#include "programs/cli/train_options.h"

namespace svm::cli {

// The tables refer to the settings beside them.
struct AllPrograms {
  AllPrograms() = default;
  AllPrograms(const AllPrograms&) = delete;
  AllPrograms& operator=(const AllPrograms&) = delete;

  TrainSettings train;
  PredictSettings predict;
  ScaleSettings scale;
  GridSettings grid;
  std::vector<Program> tables = {train_program(train), predict_program(predict),
                                 scale_program(scale), grid_program(grid)};
};

}  // namespace svm::cli

#endif  // SVM_DOCS_ALL_PROGRAMS_H_
