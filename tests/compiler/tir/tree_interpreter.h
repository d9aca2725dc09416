// A second interpreter of the tensor IR, for functions of one thread: it walks the tree with maps, computes integers in
// 128 bits and floats with the processor's own types, and shares nothing with the first but the trees.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "compiler/tir/interpreter/array.h"
#include "compiler/tir/prim_func.h"

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

  void set(const tir::Var& var, Value value) { vars_[var.get()] = value; }
  void add(const tir::Buffer& buffer, const tir::Array& contents);
  const Tensor& tensor(const tir::Buffer& buffer) const { return tensors_.at(buffer.get()); }

  Value value(const tir::Expr& expr);
  void run(const tir::Stmt& stmt);

 private:
  Value binary(const tir::Binary& node);
  void block(const tir::Block& node);
  std::optional<Value>& element(const tir::Buffer& buffer, const std::vector<tir::Expr>& indices);

  std::map<const tir::VarNode*, Value> vars_;
  std::map<const tir::BufferNode*, Tensor> tensors_;
};

// The value of an integer type with the low bits of `value`.
Wide wrapped(tir::DType dtype, Wide value);
// The nearest value of a float type.
long double rounded(tir::DType dtype, long double value);

}  // namespace vantage::test
