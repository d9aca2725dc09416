#include "frontend/models/transformer.h"

#include <numeric>

namespace vantage::models {

using ops::Integers;

Value embedding(ModelBuilder& m, Value numbers, const std::string& name, int64_t rows, int64_t width) {
  const Value table = m.weight(name + ".weight", {rows, width}, WeightRole::kEmbedding);
  return m.graph().call("gather", {table, numbers}, {}, name);
}

Value layer_norm(ModelBuilder& m, Value x, const std::string& name, double epsilon) {
  const Tensor::Shape shape = {m.graph().type(x).shape.back()};
  const Value scale = m.weight(name + ".weight", shape, WeightRole::kScale);
  return m.graph().call("layer_norm", {x, scale, m.weight(name + ".bias", shape, WeightRole::kBias)},
                        {{"epsilon", epsilon}}, name);
}

Value rms_norm(ModelBuilder& m, Value x, const std::string& name, double epsilon) {
  const Tensor::Shape shape = {m.graph().type(x).shape.back()};
  return m.graph().call("rms_norm", {x, m.weight(name + ".weight", shape, WeightRole::kScale)}, {{"epsilon", epsilon}},
                        name);
}

Value split_heads(ModelBuilder& m, Value x, int64_t heads, const std::string& name) {
  const Tensor::Shape shape = m.graph().type(x).shape;
  const Value apart =
      m.graph().call("reshape", {x}, {{"shape", Integers{1, shape[1], heads, shape[2] / heads}}}, name + ".apart");
  return m.graph().call("transpose", {apart}, {{"order", Integers{0, 2, 1, 3}}}, name);
}

Value merge_heads(ModelBuilder& m, Value x, const std::string& name) {
  const Tensor::Shape shape = m.graph().type(x).shape;
  const Value rows = m.graph().call("transpose", {x}, {{"order", Integers{0, 2, 1, 3}}}, name + ".rows");
  return m.graph().call("reshape", {rows}, {{"shape", Integers{1, shape[2], shape[1] * shape[3]}}}, name);
}

Value counted(ModelBuilder& m, int64_t count, const std::string& name) {
  Tensor numbers(kInt64, {count});
  std::iota(numbers.values<int64_t>().begin(), numbers.values<int64_t>().end(), int64_t{0});
  return m.graph().constant(std::move(numbers), name);
}

Value number(ModelBuilder& m, double value, const std::string& name) {
  Tensor tensor(kFloat32, {});
  tensor.set_number(0, value);
  return m.graph().constant(std::move(tensor), name);
}

}  // namespace vantage::models
