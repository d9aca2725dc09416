// Operations in slices: parts of their steps or rows that together do the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/backend/vta/kernel_index.h"
#include "compiler/backend/vta/kernel_nest.h"
#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// What the steps of a GEMM or ALU instruction count: iterations of its hardware loops, or micro-ops.
enum class Count : uint8_t { kOut, kIn, kUops };

// How many there are. REQUIRES: an operation with a kernel of `list`.
uint32_t count(const OperationList& list, const Operation& operation, Count what);

// The steps of [begin, end) of those alone, with what they touch, exactly, and a kernel of their own. REQUIRES: as
// count(); begin < end <= count().
struct Sliced {
  Operation operation;  // without a kernel
  Kernel kernel;
};
Sliced slice(const OperationList& list, const Operation& operation, Count what, uint32_t begin, uint32_t end);
// The inputs and weights alone that such a part reads; those of another that is as long and begins at `begin`, from
// those of the first, which begins at 0. REQUIRES: as slice(); is_gemm(); of the second, not kUops
std::vector<Access> operands_of_slice(const OperationList& list, const Operation& gemm, Count what, uint32_t begin,
                                      uint32_t end);
std::vector<Access> operands_further_on(std::vector<Access> first, const Operation& gemm, Count what, uint32_t begin);
// The steps that some of the micro-ops make in [out.begin, out.end) of the outer loop and likewise of the inner one,
// noted to touch all that the operation does. REQUIRES: none of the three is empty.
struct Box {
  Interval out, in;
  bool operator==(const Box&) const = default;
};
Sliced slice(const OperationList& list, const Operation& operation, const Box& box, std::vector<isa::MicroOp> uops);
// As an operation of the list, whose kernels `index` is of; its kernel is a new one unless there is one like it.
Operation added_to(OperationList& list, KernelIndex& index, Sliced slice);

// Of a transfer, the rows, or elements where there is one row without zeros around it, [begin, end), with the zeros
// beside them. `rows_of()`: how many there are; `elements_of_rows()`: where those lie in the scratchpad; `rows_with()`:
// those of which some lie in [begin, end) of it, none where end is not behind begin. A load of zeros alone has no rows,
// and cannot be cut. REQUIRES: of all but the first, rows.
uint32_t rows_of(const isa::Transfer& transfer);
Interval elements_of_rows(const isa::Transfer& transfer, uint32_t begin, uint32_t end);
Interval rows_with(const isa::Transfer& transfer, const Interval& elements);
isa::Transfer slice_rows(const isa::Transfer& transfer, uint32_t begin, uint32_t end);
Operation slice_rows(const OperationList& list, const Operation& transfer, uint32_t begin, uint32_t end);

}  // namespace vantage::vta
