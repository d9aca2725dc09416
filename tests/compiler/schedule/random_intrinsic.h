// Random formulas, instructions of a device that has them, and larger computations of the same form.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "compiler/schedule/intrinsic.h"

namespace vantage::test {

// C[spatial] = reducer over reduce of (A[..] op B[..]).
struct Formula {
  enum class Reducer { kNone, kSum, kMin, kMax };
  struct Input {
    ir::DType dtype;
    std::vector<std::vector<size_t>> indices;  // per dimension the axes whose sum it is, spatial ones first
    bool batched = false, deep = false;        // whether the axes below lead
  };
  std::vector<int64_t> spatial, reduce;
  // Axes in front of these: one more of the output, one more to reduce over; 0: none.
  int64_t batch = 0, depth = 0;
  std::array<Input, 2> inputs;
  ir::DType dtype;  // of C
  int op = 0;       // + * max, A where A < B
  Reducer reducer = Reducer::kNone;
};

// Of one to three axes.
Formula random_formula(std::mt19937_64& random);
// The same with several times the extents, and perhaps axes in front.
Formula larger(const Formula& formula, std::mt19937_64& random);
// The same but for one thing.
Formula altered(const Formula& formula, std::mt19937_64& random);

// A function of A, B and C.
ir::PrimFunc to_function(const Formula& formula);

struct DeviceParts {
  bool compute, reset, update;
};

// "dev.op", whose calls are done by interpreting the formula.
schedule::Intrinsic device_intrinsic(const Formula& formula, const DeviceParts& parts);
// What the calls do.
schedule::Externs device(const Formula& formula);

}  // namespace vantage::test
