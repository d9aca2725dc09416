// Recurrences: tensors whose first dimension is time, each step computed from earlier ones.
//
//   Tensor state = placeholder({m, n}, kFloat32, "state");
//   Tensor init = compute({1, n}, [&](Expr, Expr i) { return x(0, i); }, "init");
//   Tensor update = compute({m, n}, [&](Expr t, Expr i) { return state(t - 1, i) + x(t, i); }, "update");
//   Tensor s = scan(init, update, state, "S");
#pragma once

#include <string>
#include <vector>

#include "compiler/te/tensor.h"

namespace vantage::te {

// Several recurrences that step together: one init, update and state placeholder each. An init gives the first steps
// (its first size), an update all later ones; between update and state other computes may stand, time first. Throws
// Error when counts, shapes or types do not fit.
std::vector<Tensor> scan(std::vector<Tensor> inits, std::vector<Tensor> updates, std::vector<Tensor> states,
                         std::string name = "scan");
Tensor scan(const Tensor& init, const Tensor& update, const Tensor& state, std::string name = "scan");

}  // namespace vantage::te
