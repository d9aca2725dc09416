// How a kernel of a library of C++ is called: with the addresses of its arguments, as cuLaunchKernel has them.
#pragma once

#include <type_traits>
#include <utility>

#include "tests/compiler/backend/cuda/shim/cuda_on_processor.h"
#include "tests/compiler/backend/cuda/shim/warpgroups.h"

namespace shim {

template <typename... P, size_t... I>
int call(void (*kernel)(P...), const int* grid, const int* block, void** arguments, std::index_sequence<I...>) {
  return launch(grid, block, [=] { kernel(*static_cast<P*>(arguments[I])...); });
}

template <typename... P>
int call(void (*kernel)(P...), const int* grid, const int* block, void** arguments) {
  return call(kernel, grid, block, arguments, std::index_sequence_for<P...>());
}

template <typename... P>
constexpr int maps_of(void (*)(P...)) {
  return (0 + ... + int{std::is_same_v<P, vt::tensor_map>});
}
template <typename... P>
constexpr int parameters_of(void (*kernel)(P...)) {
  return static_cast<int>(sizeof...(P)) - maps_of(kernel);
}

}  // namespace shim

// The functions of C that a loaded library has of a kernel. Maps of tensors are its last parameters, and not counted
// among them.
#define SHIM_KERNEL(name)                                                           \
  extern "C" int cuda_##name(const int* grid, const int* block, void** arguments) { \
    return shim::call(&name, grid, block, arguments);                               \
  }                                                                                 \
  extern "C" const int cuda_parameters_##name = shim::parameters_of(&name);         \
  extern "C" const int cuda_maps_##name = shim::maps_of(&name);
