// What a compiled function takes: enough to call it and to say what was wrong with a call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "native/abi.h"

namespace vantage {
class JsonObject;
}

namespace vantage::native {

struct Parameter {
  std::string name;
  DLDataType dtype{};
  bool is_tensor = false;
  bool is_written = false;
  // Of a tensor, as text: numbers, or formulas in variables that scalars and the tensors themselves give values to.
  std::vector<std::string> shape;
  std::vector<std::string> strides;  // elements
  int alignment = 1;                 // bytes, of the first element
};

struct Signature {
  std::string name;
  std::vector<Parameter> parameters;
};

// Under which a compiled function is found: "vantage_matmul", so that it is none of the C library's.
std::string entry_symbol(std::string_view function);
// "float32", "bool".
std::string name(DLDataType dtype);
// "float32[n, 64]".
std::string describe(const Parameter& parameter);

// One sentence for what a function found wrong with its arguments.
std::string explain(const vantage_failure& failure, const Signature& signature);
// What can be told of a call before it is made. Throws Error, in explain()'s words, for another number of tensors than
// there are parameters, and for one that is null, without data, on another device, or of another type, rank or constant
// size; also where a parameter is a scalar. Strides, alignment, sizes that are formulas and memory that is shared are
// left to the function itself, which checks all of its arguments in every call. Tensors are to be on a device of this
// type.
void require_tensors(const Signature& signature, const std::vector<const DLTensor*>& tensors,
                     DLDeviceType device = kDLCPU);

Json to_json(const Signature& signature);
// Throws Error for an object of another form.
Signature signature_from_json(const JsonObject& json);
// A type under its name(); throws Error for what is none.
DLDataType dtype_from_json(const JsonObject& json, std::string_view key);

}  // namespace vantage::native
