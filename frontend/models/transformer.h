// What transformers have in common. Names of weights are those of the checkpoints that people have, so that their files
// can be read as they are.
//
// Thread safety: as ModelBuilder's.
#pragma once

#include <string>

#include "frontend/models/model_builder.h"

namespace vantage::models {

// Rows of NAME.weight [rows, width] by their numbers.
Value embedding(ModelBuilder& m, Value numbers, const std::string& name, int64_t rows, int64_t width);
// NAME.weight and NAME.bias [width].
Value layer_norm(ModelBuilder& m, Value x, const std::string& name, double epsilon);
// NAME.weight [width].
Value rms_norm(ModelBuilder& m, Value x, const std::string& name, double epsilon);

// [1, places, heads * depth] as [1, heads, places, depth], and back.
Value split_heads(ModelBuilder& m, Value x, int64_t heads, const std::string& name);
Value merge_heads(ModelBuilder& m, Value x, const std::string& name);

// `count` whole numbers from 0 on, int64.
Value counted(ModelBuilder& m, int64_t count, const std::string& name);
// A number without axes of float32.
Value number(ModelBuilder& m, double value, const std::string& name);

// Of places that a query may not see: what is added to their scores.
inline constexpr double kUnseen = -1e9;

}  // namespace vantage::models
