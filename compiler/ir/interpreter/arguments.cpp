// How a function's arguments become registers and memory.
#include <fmt/ranges.h>

#include <cmath>

#include "base/error.h"
#include "compiler/ir/interpreter/executor.h"
#include "compiler/ir/printer.h"

namespace vantage::ir::interpreter {

namespace {

std::string describe(const BufferNode& buffer) {
  std::string sizes;
  for (const Expr& size : buffer.shape) sizes += (sizes.empty() ? "" : ", ") + to_text(size);
  return fmt::format("{}[{}]", name(buffer.dtype), sizes);
}

std::string describe(const Argument& argument) {
  if (const auto* array = std::get_if<Tensor*>(&argument)) return "an array " + vantage::describe(**array);
  if (const auto* i = std::get_if<int64_t>(&argument)) return fmt::format("the integer {}", *i);
  return fmt::format("the number {}", std::get<double>(argument));
}

Scalar to_scalar(const Var& var, const Argument& argument, const std::string& function) {
  const DType type = var.dtype();
  const auto* i = std::get_if<int64_t>(&argument);
  const auto* f = std::get_if<double>(&argument);
  if (type.is_float()) {
    if (i != nullptr) return {.f = nearest(type, *i)};
    if (f != nullptr) return {.f = round_to(type, *f)};
  } else if (i != nullptr && type.holds(*i)) {
    return {.i = *i};
  }
  fail("the parameter {} of {} is {}, got {}", var.name(), function, name(type), describe(argument));
}

const Tensor& to_array(const Buffer& buffer, const Argument& argument, const std::string& function) {
  const auto* array = std::get_if<Tensor*>(&argument);
  VANTAGE_CHECK(array == nullptr || *array != nullptr);
  const bool fits =
      array != nullptr && (*array)->dtype() == buffer->dtype && (*array)->shape().size() == buffer->rank();
  if (!fits) {
    fail("the parameter {} of {} is {}, got {}", buffer->name, function, describe(*buffer), describe(argument));
  }
  return **array;
}

// The size of a dimension, or beyond the rank a stride.
int64_t size_of(const Tensor& array, size_t dimension) {
  const size_t rank = array.shape().size();
  return dimension < rank ? array.shape()[dimension] : array.strides()[dimension - rank];
}

}  // namespace

void Executor::pass_arguments() {
  const std::string& function = program_.name;
  const auto& parameters = program_.parameters;
  if (arguments_.size() != parameters.size()) {
    fail("the number of arguments of {} is {}, expected {}", function, arguments_.size(), parameters.size());
  }
  Scalar* r = registers(host_);
  for (size_t p = 0; p < parameters.size(); ++p) {
    if (const auto* buffer = std::get_if<Buffer>(&parameters[p])) to_array(*buffer, arguments_[p], function);
  }
  for (const auto& [p, var, value] : program_.scalars) r[value] = to_scalar(var, arguments_[p], function);
  for (const auto& [p, dimension, var, value] : program_.sizes) {
    const int64_t size = size_of(*std::get<Tensor*>(arguments_[p]), dimension);
    if (!var.dtype().holds(size)) {
      fail("{} gives the variable {} of type {} the value {}, which that does not hold",
           std::get<Buffer>(parameters[p])->name, var.name(), name(var.dtype()), size);
    }
    r[value].i = size;
  }
}

void Executor::set_parameter(Thread& thread, const Instr& instr) {
  const auto p = static_cast<size_t>(instr.note);
  Tensor& array = *std::get<Tensor*>(arguments_[p]);
  const BufferNode& buffer = *program_.buffers[static_cast<size_t>(instr.memory)].buffer;
  auto wanted = dimensions(instr, registers(thread));
  for (size_t d = 0; d < wanted.size(); ++d) {
    if (array.shape()[d] == wanted[d].extent) continue;
    fail("dimension {} of the parameter {} of {} is '{}' = {}, got an array {}", d, buffer.name, program_.name,
         to_text(buffer.shape[d]), wanted[d].extent, vantage::describe(array));
  }
  for (size_t d = 0; d < wanted.size(); ++d) {
    // The stride of a single element does not matter.
    if (array.strides()[d] == wanted[d].stride || wanted[d].extent <= 1) continue;
    fail("the stride in dimension {} of the parameter {} of {} is {}, got an array with strides [{}]", d, buffer.name,
         program_.name, wanted[d].stride, fmt::join(array.strides(), ", "));
  }
  thread.take(static_cast<size_t>(instr.memory)).attach(buffer, std::move(wanted), array.bytes());
}

}  // namespace vantage::ir::interpreter
