#include "compiler/backend/vta/finishing/slices.h"

#include <algorithm>
#include <ranges>

#include "base/error.h"
#include "compiler/backend/vta/element_set.h"

namespace vantage::vta {

namespace {

// A GEMM or ALU instruction, with the same names for both.
struct Steps {
  isa::Loop loop;
  uint32_t wgt_out = 0, wgt_in = 0;
  explicit Steps(const isa::Insn& insn) {
    if (const auto* gemm = std::get_if<isa::Gemm>(&insn)) {
      loop = gemm->loop;
      wgt_out = gemm->wgt_factor_out;
      wgt_in = gemm->wgt_factor_in;
    } else {
      loop = std::get<isa::Alu>(insn).loop;
    }
  }
};

void set_loop(isa::Insn& insn, const isa::Loop& loop) {
  if (auto* gemm = std::get_if<isa::Gemm>(&insn)) {
    gemm->loop = loop;
  } else {
    std::get<isa::Alu>(insn).loop = loop;
  }
}

// An instruction and its micro-ops.
struct Part {
  isa::Insn insn;
  std::vector<isa::MicroOp> uops;
};

// What the micro-ops, of which there is one at least, touch through one operand while the hardware loops step it by
// `out` and `in`.
void add_touched(std::vector<Access>& accesses, const Part& part, Access::Space space, uint32_t isa::MicroOp::*operand,
                 uint32_t out, uint32_t in, bool is_write) {
  const isa::Loop loop = Steps(part.insn).loop;
  const auto [least, most] = std::ranges::minmax(part.uops | std::views::transform(operand));
  ElementSet elements(least, most + uint64_t{loop.iter_out - 1} * out + uint64_t{loop.iter_in - 1} * in + 1);
  for (const isa::MicroOp& uop : part.uops) elements.add(uop.*operand);
  elements.repeat(loop.iter_in, in);
  elements.repeat(loop.iter_out, out);
  elements.for_each_interval([&](const Interval& i) { accesses.push_back({space, 0, i.begin, i.end, is_write}); });
}

// Inputs and weights. REQUIRES: a GEMM that multiplies
void add_operands(std::vector<Access>& accesses, const Part& gemm) {
  const Steps s(gemm.insn);
  add_touched(accesses, gemm, Access::Space::kInp, &isa::MicroOp::src, s.loop.src_factor_out, s.loop.src_factor_in,
              false);
  add_touched(accesses, gemm, Access::Space::kWgt, &isa::MicroOp::wgt, s.wgt_out, s.wgt_in, false);
}

std::vector<Access> accesses_of(const Part& part) {
  const isa::Loop loop = Steps(part.insn).loop;
  std::vector<Access> accesses;
  add_touched(accesses, part, Access::Space::kAcc, &isa::MicroOp::dst, loop.dst_factor_out, loop.dst_factor_in, true);
  const auto* gemm = std::get_if<isa::Gemm>(&part.insn);
  if (gemm != nullptr && !gemm->reset) {
    add_operands(accesses, part);
  } else if (gemm == nullptr && !std::get<isa::Alu>(part.insn).use_imm) {
    add_touched(accesses, part, Access::Space::kAcc, &isa::MicroOp::src, loop.src_factor_out, loop.src_factor_in,
                false);
  }
  return accesses;
}

// Of one row, unpadded, its elements are as rows.
bool is_cut_in_elements(const isa::Transfer& t) {
  return t.y_size == 1 && t.padded_rows() == 1 && t.padded_row() == t.x_size;
}

Part part_of(const Operation& operation, const Box& box, std::vector<isa::MicroOp> uops) {
  Part part = {operation.insn, std::move(uops)};
  const Steps s(operation.insn);
  isa::Loop loop = s.loop;
  const auto out = static_cast<uint32_t>(box.out.begin), in = static_cast<uint32_t>(box.in.begin);
  loop.iter_out = static_cast<uint32_t>(box.out.end) - out;
  loop.iter_in = static_cast<uint32_t>(box.in.end) - in;
  for (isa::MicroOp& uop : part.uops) {
    uop.dst += out * loop.dst_factor_out + in * loop.dst_factor_in;
    uop.src += out * loop.src_factor_out + in * loop.src_factor_in;
    uop.wgt += out * s.wgt_out + in * s.wgt_in;
  }
  set_loop(part.insn, loop);
  return part;
}

Part part_of(const OperationList& list, const Operation& operation, Count what, uint32_t begin, uint32_t end) {
  VANTAGE_CHECK(begin < end && end <= count(list, operation, what));
  const std::vector<isa::MicroOp>& all = list.kernels.at(*operation.kernel).uops;
  const isa::Loop loop = Steps(operation.insn).loop;
  Box box{{0, loop.iter_out}, {0, loop.iter_in}};
  if (what == Count::kUops) return part_of(operation, box, {all.begin() + begin, all.begin() + end});
  (what == Count::kOut ? box.out : box.in) = {begin, end};
  return part_of(operation, box, all);
}

}  // namespace

uint32_t count(const OperationList& list, const Operation& operation, Count what) {
  const isa::Loop loop = Steps(operation.insn).loop;
  switch (what) {
    case Count::kOut: return loop.iter_out;
    case Count::kIn: return loop.iter_in;
    case Count::kUops: break;
  }
  return static_cast<uint32_t>(list.kernels.at(*operation.kernel).uops.size());
}

Sliced slice(const OperationList& list, const Operation& operation, Count what, uint32_t begin, uint32_t end) {
  Part part = part_of(list, operation, what, begin, end);
  std::vector<Access> accesses = accesses_of(part);
  return {{.insn = std::move(part.insn), .symbol = operation.symbol, .accesses = std::move(accesses)},
          {list.kernels.at(*operation.kernel).kind, std::move(part.uops)}};
}

Sliced slice(const OperationList& list, const Operation& operation, const Box& box, std::vector<isa::MicroOp> uops) {
  Part part = part_of(operation, box, std::move(uops));
  return {{.insn = std::move(part.insn), .symbol = operation.symbol, .accesses = operation.accesses},
          {list.kernels.at(*operation.kernel).kind, std::move(part.uops)}};
}

std::vector<Access> operands_of_slice(const OperationList& list, const Operation& gemm, Count what, uint32_t begin,
                                      uint32_t end) {
  std::vector<Access> operands;
  add_operands(operands, part_of(list, gemm, what, begin, end));
  return operands;
}

std::vector<Access> operands_further_on(std::vector<Access> first, const Operation& gemm, Count what, uint32_t begin) {
  VANTAGE_CHECK(what != Count::kUops);
  const Steps s(gemm.insn);
  const bool is_out = what == Count::kOut;
  const uint64_t src = is_out ? s.loop.src_factor_out : s.loop.src_factor_in, wgt = is_out ? s.wgt_out : s.wgt_in;
  for (Access& access : first) {
    const uint64_t by = begin * (access.space == Access::Space::kInp ? src : wgt);
    access.begin += by;
    access.end += by;
  }
  return first;
}

Operation added_to(OperationList& list, KernelIndex& index, Sliced slice) {
  slice.operation.kernel = index.number(list.kernels, std::move(slice.kernel));
  return std::move(slice.operation);
}

uint32_t rows_of(const isa::Transfer& t) {
  return is_cut_in_elements(t) ? t.x_size : t.y_size;
}

Interval elements_of_rows(const isa::Transfer& t, uint32_t begin, uint32_t end) {
  VANTAGE_CHECK(begin < end && end <= rows_of(t));
  if (is_cut_in_elements(t)) return {t.sram_base + begin, t.sram_base + end};
  const uint64_t first = begin == 0 ? 0 : t.y_pad_0 + begin, last = t.y_pad_0 + end + (end == t.y_size ? t.y_pad_1 : 0);
  return {t.sram_base + first * t.padded_row(), t.sram_base + last * t.padded_row()};
}

Interval rows_with(const isa::Transfer& t, const Interval& elements) {
  const uint64_t row = is_cut_in_elements(t) ? 1 : t.padded_row(), above = is_cut_in_elements(t) ? 0 : t.y_pad_0;
  const uint64_t last = rows_of(t) - 1;
  // Zeros above belong to the first row, those below to the last one.
  const auto row_of = [&](uint64_t element) {
    const uint64_t at = element < t.sram_base ? 0 : (element - t.sram_base) / row;
    return std::min(at - std::min(at, above), last);
  };
  const Interval all = elements_of_rows(t, 0, rows_of(t));
  if (elements.end <= std::max(elements.begin, all.begin) || elements.begin >= all.end) return {0, 0};
  return {row_of(elements.begin), row_of(elements.end - 1) + 1};
}

isa::Transfer slice_rows(const isa::Transfer& transfer, uint32_t begin, uint32_t end) {
  isa::Transfer t = transfer;
  t.sram_base = static_cast<uint32_t>(elements_of_rows(transfer, begin, end).begin);
  if (is_cut_in_elements(t)) {
    t.dram_base += begin;
    t.x_size = end - begin;
    t.x_stride = std::min(t.x_stride, t.x_size);
    return t;
  }
  t.dram_base += begin * t.x_stride;
  if (begin != 0) t.y_pad_0 = 0;
  if (end != t.y_size) t.y_pad_1 = 0;
  t.y_size = end - begin;
  if (t.y_size == 1) t.x_stride = t.x_size;
  return t;
}

Operation slice_rows(const OperationList& list, const Operation& transfer, uint32_t begin, uint32_t end) {
  Operation result = transfer;
  isa::Transfer& t = *isa::transfer(result.insn);
  const Interval elements = elements_of_rows(t, begin, end);
  t = slice_rows(t, begin, end);
  const uint64_t bytes = list.config.element_size(t.memory).count();
  for (Access& access : result.accesses) {
    if (access.space == Access::Space::kTensor) {
      access.begin = t.dram_base * bytes;
      access.end = access.begin + (uint64_t{t.y_size - 1} * t.x_stride + t.x_size) * bytes;
    } else {
      access.begin = elements.begin;
      access.end = elements.end;
    }
  }
  return result;
}

}  // namespace vantage::vta
