#include "native/signature.h"

#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/json_object.h"

namespace vantage::native {

namespace {

// Bool has no code of its own in this version of DLPack: it is an unsigned integer of one bit.
constexpr DLDataType kBool{kDLUInt, 1, 1};

DLDataType unpack(int64_t packed) {
  return {static_cast<uint8_t>(packed >> 24), static_cast<uint8_t>(packed >> 16), static_cast<uint16_t>(packed)};
}

// As vantage_failure has types.
int64_t pack(DLDataType dtype) {
  return int64_t{dtype.code} << 24 | int64_t{dtype.bits} << 16 | int64_t{dtype.lanes};
}

// The value of a formula that is a number.
std::optional<int64_t> constant(const std::string& formula) {
  int64_t value = 0;
  const char* const end = formula.data() + formula.size();
  const auto [rest, error] = std::from_chars(formula.data(), end, value);
  return error == std::errc() && rest == end ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string entry_symbol(std::string_view function) {
  return "vantage_" + std::string(function);
}

std::string name(DLDataType dtype) {
  static constexpr std::array<const char*, 6> kCodes = {"int", "uint", "float", "handle", "bfloat", "complex"};
  if (dtype.code == kBool.code && dtype.bits == kBool.bits && dtype.lanes == 1) return "bool";
  const std::string code = dtype.code < kCodes.size() ? kCodes[dtype.code] : fmt::format("type {} of ", dtype.code);
  return fmt::format("{}{}{}", code, dtype.bits, dtype.lanes == 1 ? "" : fmt::format("x{}", dtype.lanes));
}

std::string describe(const Parameter& parameter) {
  if (!parameter.is_tensor) return name(parameter.dtype);
  return fmt::format("{}[{}]", name(parameter.dtype), fmt::join(parameter.shape, ", "));
}

std::string explain(const vantage_failure& failure, const Signature& signature) {
  if (failure.code == VANTAGE_WRONG_COUNT) {
    return fmt::format("{} takes {} arguments, got {}", signature.name, failure.expected, failure.got);
  }
  if (failure.code == VANTAGE_OUT_OF_MEMORY) {
    return fmt::format("{} ran out of memory for its temporary values; its results are not complete", signature.name);
  }
  const auto number = static_cast<size_t>(failure.argument);
  VANTAGE_CHECK(number < signature.parameters.size());
  const Parameter& parameter = signature.parameters[number];
  const std::string what = fmt::format("the argument {} of {}", parameter.name, signature.name);
  const auto dimension = static_cast<size_t>(failure.dimension);
  const auto formula = [&](const std::vector<std::string>& formulas) {
    VANTAGE_CHECK(dimension < formulas.size());
    const std::string number_text = std::to_string(failure.expected);
    return formulas[dimension] == number_text ? number_text
                                              : fmt::format("{} = {}", formulas[dimension], failure.expected);
  };
  switch (failure.code) {
    case VANTAGE_NULL_TENSOR: return fmt::format("{} is null, expected {}", what, describe(parameter));
    case VANTAGE_NULL_DATA: return fmt::format("{} has no data (null), expected {}", what, describe(parameter));
    case VANTAGE_WRONG_DEVICE:
      return fmt::format("{} is on a device of type {}, expected {} memory ({})", what, failure.got,
                         failure.expected == kDLCUDA ? "a GPU's" : "host", failure.expected);
    case VANTAGE_WRONG_DTYPE:
      return fmt::format("{} has the type {}, expected {}", what, name(unpack(failure.got)), describe(parameter));
    case VANTAGE_WRONG_RANK:
      return fmt::format("{} has {} dimensions, expected {}: {}", what, failure.got, failure.expected,
                         describe(parameter));
    case VANTAGE_WRONG_SHAPE:
      return fmt::format("{} has the size {} in dimension {}, expected {}: {}", what, failure.got, failure.dimension,
                         formula(parameter.shape), describe(parameter));
    case VANTAGE_WRONG_STRIDE:
      return fmt::format("{} has the stride {} in dimension {}, expected {} elements", what, failure.got,
                         failure.dimension, formula(parameter.strides));
    case VANTAGE_NULL_SHAPE: return fmt::format("{} has no shape (null), expected {}", what, describe(parameter));
    case VANTAGE_TOO_LARGE:
      return fmt::format("{} is said to be larger than any memory; expected {}", what, describe(parameter));
    case VANTAGE_BAD_STRIDE:
      return fmt::format("{} has the stride {} in dimension {}, expected {} or more", what, failure.got,
                         failure.dimension, failure.expected);
    case VANTAGE_MISALIGNED:
      return fmt::format("{} begins at {:#x}, expected an address divisible by {}", what,
                         static_cast<uint64_t>(failure.got), failure.expected);
    case VANTAGE_OUT_OF_RANGE:
      if (!parameter.is_tensor) {
        return fmt::format("{} is {}, which {} cannot hold", what, failure.got, name(parameter.dtype));
      }
      return fmt::format("{} has {} elements or steps in dimension {}, more than its variable can hold: {}", what,
                         failure.got, failure.dimension, describe(parameter));
    case VANTAGE_EMPTY:
      return fmt::format("{} has the size {} in dimension {}, expected at least {}: {}", what, failure.got,
                         failure.dimension, failure.expected, describe(parameter));
    case VANTAGE_OVERLAP: {
      const auto other = static_cast<size_t>(failure.got);
      VANTAGE_CHECK(other < signature.parameters.size());
      return fmt::format("{} shares memory with the argument {}, and one of them is written; pass memory of its own",
                         what, signature.parameters[other].name);
    }
    default: break;
  }
  return fmt::format("{} failed with the unknown code {}", signature.name, failure.code);
}

void require_tensors(const Signature& signature, const std::vector<const DLTensor*>& tensors, DLDeviceType device) {
  const std::vector<Parameter>& parameters = signature.parameters;
  const auto require = [&](bool holds, int32_t code, size_t argument, size_t dimension, int64_t expected, int64_t got) {
    if (holds) return;
    const vantage_failure failure{code, static_cast<int32_t>(argument), static_cast<int32_t>(dimension), expected, got};
    throw Error(explain(failure, signature));
  };
  const auto count = static_cast<int64_t>(tensors.size()), expected_count = static_cast<int64_t>(parameters.size());
  require(count == expected_count, VANTAGE_WRONG_COUNT, 0, 0, expected_count, count);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Parameter& p = parameters[i];
    if (!p.is_tensor) {
      fail("the argument {} of {} is a scalar, {}, which no tensor gives; call the native::Function with its arguments",
           p.name, signature.name, describe(p));
    }
    require(tensors[i] != nullptr, VANTAGE_NULL_TENSOR, i, 0, 0, 0);
    const DLTensor& tensor = *tensors[i];
    require(tensor.device.device_type == device, VANTAGE_WRONG_DEVICE, i, 0, device, tensor.device.device_type);
    require(pack(tensor.dtype) == pack(p.dtype), VANTAGE_WRONG_DTYPE, i, 0, pack(p.dtype), pack(tensor.dtype));
    const auto rank = static_cast<int64_t>(p.shape.size());
    require(tensor.ndim == rank, VANTAGE_WRONG_RANK, i, 0, rank, tensor.ndim);
    require(rank == 0 || tensor.shape != nullptr, VANTAGE_NULL_SHAPE, i, 0, 0, 0);
    for (size_t d = 0; d < p.shape.size(); ++d) {
      const std::optional<int64_t> size = constant(p.shape[d]);
      if (size) require(tensor.shape[d] == *size, VANTAGE_WRONG_SHAPE, i, d, *size, tensor.shape[d]);
    }
    require(tensor.data != nullptr, VANTAGE_NULL_DATA, i, 0, 0, 0);
  }
}

Json to_json(const Signature& signature) {
  Json parameters = Json::array();
  for (const Parameter& p : signature.parameters) {
    if (p.is_tensor) {
      parameters.push_back({{"alignment", p.alignment},
                            {"dtype", name(p.dtype)},
                            {"name", p.name},
                            {"shape", p.shape},
                            {"strides", p.strides},
                            {"written", p.is_written}});
    } else {
      parameters.push_back({{"dtype", name(p.dtype)}, {"name", p.name}});
    }
  }
  return {{"name", signature.name}, {"parameters", std::move(parameters)}};
}

DLDataType dtype_from_json(const JsonObject& json, std::string_view key) {
  const std::string text = json.string(key);
  for (const uint8_t bits : {1, 2, 4, 8, 16, 32, 64}) {
    for (const uint8_t code : {kDLInt, kDLUInt, kDLFloat, kDLBfloat}) {
      const DLDataType dtype{code, bits, 1};
      const bool is_there = code == kDLInt || code == kDLUInt || (code == kDLBfloat ? bits == 16 : bits >= 16);
      if (is_there && name(dtype) == text) return dtype;
    }
  }
  for (int bits = 3; bits < 64; ++bits) {
    if (text == fmt::format("int{}", bits)) return {kDLInt, static_cast<uint8_t>(bits), 1};
  }
  json.refuse(key, "a type of a parameter, such as \"float32\"");
}

Signature signature_from_json(const JsonObject& json) {
  Signature signature{json.string("name"), {}};
  const std::vector<std::string> known = {"name", "dtype", "shape", "strides", "alignment", "written"};
  json.each_object("parameters", known, [&](const JsonObject& row) {
    Parameter p;
    p.name = row.string("name");
    p.dtype = dtype_from_json(row, "dtype");
    p.is_tensor = row.has("shape");
    if (p.is_tensor) {
      p.shape = row.strings("shape");
      p.strides = row.strings("strides");
      p.alignment = row.integer("alignment", 1, INT32_MAX);
      p.is_written = row.boolean("written");
    }
    signature.parameters.push_back(std::move(p));
  });
  return signature;
}

}  // namespace vantage::native
