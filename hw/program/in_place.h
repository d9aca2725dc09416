// Which tensors a program may write where it reads others.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/program/program.h"

namespace vantage {

// Numbers of a program's tensors.
struct TensorsInPlace {
  uint32_t written = 0, read = 0;
  bool operator==(const TensorsInPlace&) const = default;
};

// Pairs of which the one may begin where the other does, and the program does the same on every machine: each load of
// an element of the one is done before a store to it as the other begins, which tokens and the order within the stages
// see to (hw/isa/tokens.h). Of a program that runs to its end. Takes time in proportion to what it moves.
std::vector<TensorsInPlace> tensors_in_place(const Program& program);

}  // namespace vantage
