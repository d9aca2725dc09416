// The networks that are built in code.
//
// Thread safety: values and functions without state.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

// What a model may be built with more or fewer of, such as tokens.
struct ModelSize {
  std::string name, meaning;
  int64_t standard = 1;
};
using Sizes = std::map<std::string, int64_t, std::less<>>;

struct Model {
  std::string name;
  std::string meaning;  // a few words
  // With all of its sizes.
  std::function<graph::Graph(const Weights&, const Sizes&)> construct;
  bool is_trained = false;  // there are weights for it in examples/, in a folder of its name
  // What becomes of a picture's channels, from 0 to 1, before they are its input: less the mean, over the deviation.
  std::vector<double> mean = {}, deviation = {};
  std::vector<ModelSize> sizes = {};

  // Sizes that are not given are the standard ones. Throws Error for one that the model does not have, or that is too
  // large for it.
  graph::Graph build(const Weights& weights, const Sizes& given = {}) const;
};

std::span<const Model> models();
// Throws Error, with those that are near, for a name that is none.
const Model& find_model(std::string_view name);

}  // namespace vantage::models
