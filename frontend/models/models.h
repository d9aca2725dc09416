// The networks that are built in code.
//
// Thread safety: values and functions without state.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

struct Model {
  std::string name;
  std::string meaning;  // a few words
  std::function<graph::Graph(const Weights&)> build;
  bool is_trained = false;  // there are weights for it in examples/, in a folder of its name
  // What becomes of a picture's channels, from 0 to 1, before they are its input: less the mean, over the deviation.
  std::vector<double> mean = {}, deviation = {};
};

std::span<const Model> models();
// Throws Error, with those that are near, for a name that is none.
const Model& find_model(std::string_view name);

}  // namespace vantage::models
