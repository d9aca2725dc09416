// MNIST's test images, and how many of them a network tells.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>
#include <functional>

#include "compiler/graph/evaluate.h"

namespace vantage::workload {

struct Digits {
  Tensor pixels;  // float32 [image][1][row][column], from 0 to 1
  Tensor labels;  // int16 [image]

  int64_t count() const { return labels.size(); }
  // One image as the input "image" of a network.
  graph::Inputs input(int64_t image) const;
};

// The files of the folder, by the names that MNIST gives them. Throws Error when they do not fit each other.
Digits load_digits(const std::filesystem::path& folder);

// Of the first so many images, those whose greatest output has the number of their label. `classify` gives the outputs
// for an input; `done` is told how many are.
int64_t count_correct(const Digits& digits, int64_t images, const std::function<Tensor(const graph::Inputs&)>& classify,
                      const std::function<void(int64_t)>& done = nullptr);

}  // namespace vantage::workload
