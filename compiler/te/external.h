// Tensors made by something other than a formula: by a function of the user's, called by its name, or by statements
// that the user writes.
//
//   Tensor sorted = external({n, m}, kFloat32, {x}, "sort_rows", "sorted");
//
//   Tensor reversed = external({n}, kFloat32, {x}, [&](const Buffers& in, const Buffers& out) {
//     return ir::loop(i, n, ir::store(out[0], {n - 1 - i}, ir::load(in[0], {i})));
//   }, "reversed");
//
// create_prim_func makes one block of each, without axes, around the statements. A schedule takes it as a whole: it can
// be moved, and what it reads and writes can be cached, but it is not inlined, and loops inside of it are the user's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/te/tensor.h"

namespace vantage::te {

using Buffers = std::vector<ir::Buffer>;
// Statements that write all elements of `outputs`, from `inputs`. They may use variables of the function, and allocate
// buffers of their own, but touch nothing else.
using ExternalBody = std::function<ir::Stmt(const Buffers& inputs, const Buffers& outputs)>;

// Throws Error, naming the buffer, when the statements touch one that is neither given nor their own, write an input,
// or write nothing of an output; and when an input is given twice.
Tensor external(std::vector<Expr> shape, DType dtype, const std::vector<Tensor>& inputs, const ExternalBody& body,
                std::string name = "external");
// Several outputs, each of a shape and type of its own, named name_0, name_1, ...
std::vector<Tensor> external(const std::vector<OutputType>& outputs, const std::vector<Tensor>& inputs,
                             const ExternalBody& body, std::string name = "external");

// By call_extern(function, {inputs..., outputs...}), see compiler/ir/call_extern.h: the function reads all of its
// inputs and writes all of its outputs.
Tensor external(std::vector<Expr> shape, DType dtype, const std::vector<Tensor>& inputs, std::string function,
                std::string name = "external");
std::vector<Tensor> external(const std::vector<OutputType>& outputs, const std::vector<Tensor>& inputs,
                             std::string function, std::string name = "external");

}  // namespace vantage::te
