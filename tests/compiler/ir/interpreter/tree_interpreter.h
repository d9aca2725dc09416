// A second interpreter of the tensor IR, for functions of one thread: it walks the tree with maps, computes integers in
// 128 bits and floats with the processor's own types, and shares nothing with the first but the trees.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/tensor/tensor.h"
#include "compiler/ir/prim_func.h"

namespace vantage::test {

__extension__ using Wide = __int128;

struct Value {
  Wide i = 0;         // of an integer or a bool
  long double f = 0;  // of a float
};

// What has no meaning: a division by zero, an index outside, an element without a value, an axis outside its domain.
struct Undefined : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class TreeInterpreter {
 public:
  // One element without a value is a null one.
  struct Tensor {
    std::vector<int64_t> shape;
    std::vector<std::optional<Value>> elements;
  };

  void set(const ir::Var& var, Value value) { vars_[var.get()] = value; }
  void add(const ir::Buffer& buffer, const vantage::Tensor& contents);
  const Tensor& tensor(const ir::Buffer& buffer) const { return tensors_.at(buffer.get()); }

  Value value(const ir::Expr& expr);
  void run(const ir::Stmt& stmt);

 private:
  Value binary(const ir::Binary& node);
  void block(const ir::Block& node);
  std::optional<Value>& element(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices);

  std::map<const ir::VarNode*, Value> vars_;
  std::map<const ir::BufferNode*, Tensor> tensors_;
};

// The value of an integer type with the low bits of `value`.
Wide wrapped(ir::DType dtype, Wide value);
// The nearest value of a float type.
long double rounded(ir::DType dtype, long double value);

}  // namespace vantage::test
