// Functions of the user's own that compiled functions call by name (compiler/ir/call_extern.h).
//
//   Externals externals;
//   externals.add("my_gelu", +[](float x) noexcept { return x / (1 + std::exp(-1.702F * x)); });
//   externals.add("sort_rows", &sort_rows);  // void sort_rows(const DLTensor* x, DLTensor* y) noexcept
//   native::Function f = cpu::jit(function, target, {.externals = externals});
//
// What they take and give is what their C++ type says. Numbers are bool, int8_t to int64_t, float and double, each as
// the type of the same width. A box of a buffer is a DLTensor in host memory, behind a pointer to a constant one where
// it is read, and to another where it is written as well: the box's shape, with the strides of the buffer that it is
// of, counted in elements. It is valid during the call, and no copy of its pointers may be kept. Functions must be
// noexcept, since compiled code has nobody to hand an exception on to; one that is called in a parallel loop is called
// from several threads at once.
//
// Thread safety: as a std::map's.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/tensor/dtype.h"
#include "native/abi.h"

namespace vantage::native {

struct External {
  struct Parameter {
    bool is_tensor = false;
    bool is_written = false;     // of a tensor
    std::optional<DType> dtype;  // of a number, or of a tensor's elements; nothing: of any type
  };
  union Value {
    int64_t integer;
    double number;
    DLTensor* tensor;
  };

  std::string name;
  std::vector<Parameter> parameters;
  DType result = kVoid;
  void (*address)() = nullptr;
  // Calls it with as many values as it has parameters, for those who know it from this description alone.
  std::function<Value(std::span<const Value>)> call;
};

// "float32 (float32)", "void (const float32 tensor, tensor)".
std::string describe(const External& external);

namespace detail {

template <typename T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return kBool;
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return DType::integer(static_cast<int>(sizeof(T)) * 8);
  } else {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                  "functions that compiled code calls take and give bool, int8_t to int64_t, float, double, and take "
                  "const DLTensor* and DLTensor*");
    return DType::floating(static_cast<int>(sizeof(T)) * 8);
  }
}

template <typename T>
External::Parameter parameter() {
  if constexpr (std::is_same_v<T, DLTensor*> || std::is_same_v<T, const DLTensor*>) {
    return {true, std::is_same_v<T, DLTensor*>, std::nullopt};
  } else {
    return {false, false, dtype_of<T>()};
  }
}

template <typename T>
T from_value(const External::Value& value) {
  if constexpr (std::is_pointer_v<T>) {
    return value.tensor;
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value.number);
  } else {
    return static_cast<T>(value.integer);
  }
}

template <typename Result, typename... Arguments, size_t... I>
External::Value call(Result (*function)(Arguments...) noexcept, std::span<const External::Value> values,
                     std::index_sequence<I...>) {
  if constexpr (std::is_void_v<Result>) {
    function(from_value<Arguments>(values[I])...);
    return {.integer = 0};
  } else if constexpr (std::is_floating_point_v<Result>) {
    return {.number = function(from_value<Arguments>(values[I])...)};
  } else {
    return {.integer = static_cast<int64_t>(function(from_value<Arguments>(values[I])...))};
  }
}

}  // namespace detail

class Externals {
 public:
  // `elements`: the types of the tensors' elements, in the order of these parameters; none given: any will do. Throws
  // Error for a name that no C function could have or that is taken, a null pointer, and types that are not as many as
  // there are tensors.
  template <typename Result, typename... Arguments>
  void add(std::string name, Result (*function)(Arguments...) noexcept, const std::vector<DType>& elements = {}) {
    External external;
    external.name = std::move(name);
    external.parameters = {detail::parameter<Arguments>()...};
    if constexpr (!std::is_void_v<Result>) external.result = detail::dtype_of<Result>();
    external.address = reinterpret_cast<void (*)()>(function);
    external.call = [function](std::span<const External::Value> values) {
      return detail::call(function, values, std::index_sequence_for<Arguments...>());
    };
    add(std::move(external), elements);
  }

  // Null when there is none.
  const External* find(std::string_view name) const;
  std::vector<std::string> names() const;

 private:
  void add(External external, const std::vector<DType>& elements);

  std::map<std::string, External, std::less<>> by_name_;
};

// The variable through which code finds a function, "vantage_extern_my_gelu": a pointer to it, null until whoever loads
// the code sets it.
std::string extern_symbol(std::string_view name);
// Sets such a variable. Throws Error when it has been set to another function. Thread safety: atomic.
void set_extern(void* variable, const External& external);

}  // namespace vantage::native
