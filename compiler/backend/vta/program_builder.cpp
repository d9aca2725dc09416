#include "compiler/backend/vta/program_builder.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/backend/vta/staggered_threads.h"
#include "compiler/backend/vta/virtual_threads.h"

namespace vantage::vta {

using isa::Memory;

namespace {

Access::Space access_space(Memory memory) {
  if (memory == Memory::kInp) return Access::Space::kInp;
  if (memory == Memory::kWgt) return Access::Space::kWgt;
  return Access::Space::kAcc;
}

Access scratchpad_access(Access::Space space, Interval interval, bool is_write) {
  return {space, 0, interval.begin, interval.end, is_write};
}

using Operand = std::pair<uint32_t KernelNest::*, uint32_t Axis::*>;
constexpr Operand kDst = {&KernelNest::dst, &Axis::dst}, kSrc = {&KernelNest::src, &Axis::src},
                  kWgt = {&KernelNest::wgt, &Axis::wgt};

void add_accesses(std::vector<Access>& accesses, Access::Space space, const KernelNest& nest, Operand operand,
                  bool is_write) {
  for (const Interval& part : touched(nest, operand.first, operand.second)) {
    accesses.push_back(scratchpad_access(space, part, is_write));
  }
}

}  // namespace

ProgramBuilder::ProgramBuilder(const isa::Config& config)
    : list_{config}, layout_(config), fold_limits_(FoldLimits::of(config)) {
  for (Memory memory : {Memory::kInp, Memory::kWgt, Memory::kAcc}) {
    space(memory).end = static_cast<uint32_t>(config.depth(memory).count());
  }
}

ProgramBuilder::Space& ProgramBuilder::space(Memory memory) {
  VANTAGE_CHECK(memory != Memory::kUop);  // kernels are placed by a pass
  return spaces_[static_cast<size_t>(access_space(memory))];
}

TensorId ProgramBuilder::tensor(std::string name, Memory memory, uint64_t elements, TensorRole role) {
  if (const auto fault = fault_of_tensor_name(name)) fail("{}", *fault);
  if (elements > UINT32_MAX) {
    fail("the tensor {} has {} elements, more than 32-bit DRAM addresses can name", name, elements);
  }
  list_.tensors.push_back({std::move(name), memory, static_cast<uint32_t>(elements), role});
  return static_cast<TensorId>(list_.tensors.size() - 1);
}

uint64_t ProgramBuilder::available(Memory memory) const {
  return space(memory).end - space(memory).next;
}

uint64_t ProgramBuilder::max_padding() const {
  return std::min({limit(isa::FieldId::kYPad0), limit(isa::FieldId::kYPad1), limit(isa::FieldId::kXPad0),
                   limit(isa::FieldId::kXPad1)});
}

Region ProgramBuilder::allocate(Memory memory, uint64_t count, std::string_view what) {
  Space& s = space(memory);
  if (count > available(memory)) {
    fail(
        "{} needs {} elements of the {} scratchpad, which has {} left of {}; use smaller blocks or fewer virtual "
        "threads",
        what, count, isa::name(memory), available(memory), list_.config.depth(memory).count());
  }
  const Region region{s.next, static_cast<uint32_t>(count)};
  s.next += region.count;
  return region;
}

void ProgramBuilder::add(Operation operation) {
  if (turns_ != nullptr) {
    turns_->back().push_back(std::move(operation));
  } else {
    list_.operations.push_back(std::move(operation));
  }
}

void ProgramBuilder::load(uint32_t sram, TensorId id, const Tile& tile, const Padding& padding) {
  load_as(list_.tensors.at(static_cast<uint32_t>(id)).memory, sram, id, tile, padding);
}

void ProgramBuilder::load_as(Memory memory, uint32_t sram, TensorId id, const Tile& tile, const Padding& padding) {
  add_transfer(true, memory, sram, id, tile, padding);
}

void ProgramBuilder::store(TensorId id, const Tile& tile, uint32_t sram) {
  add_transfer(false, list_.tensors.at(static_cast<uint32_t>(id)).memory, sram, id, tile, {});
}

void ProgramBuilder::add_transfer(bool is_load, Memory memory, uint32_t sram, TensorId id, const Tile& tile,
                                  const Padding& padding) {
  if (tile.rows == 0 || tile.columns == 0) return;
  const auto symbol = static_cast<uint32_t>(id);
  const ProgramTensor& tensor = list_.tensors.at(symbol);
  const uint64_t bytes = list_.config.element_size(memory).count();
  const uint64_t last = tile.offset + (tile.rows - 1) * tile.row_stride + tile.columns;
  const uint64_t tensor_bytes = (list_.config.element_size(tensor.memory) * tensor.elements).count();
  if (const uint64_t elements = tensor_bytes / bytes; last > elements) {
    fail("a {} reaches element {} of tensor {}, which has {}", is_load ? "load" : "store", last - 1, tensor.name,
         elements);
  }
  const uint64_t row = uint64_t{padding.left} + tile.columns + padding.right;
  // Rows too far apart, too many or too long for one instruction: one each, and of a row that is too long several
  // pieces. Zeros beside a row go with its ends; zeros above and below would have to be rows of their own.
  const uint64_t max_stride = limit(isa::FieldId::kXStride), max_columns = limit(isa::FieldId::kXSize);
  const bool is_long = tile.columns > max_columns;
  const bool is_far = tile.rows > limit(isa::FieldId::kYSize) || (tile.rows > 1 && tile.row_stride > max_stride);
  if ((is_long || is_far) && (padding.top != 0 || padding.bottom != 0)) {
    if (is_long) {
      fail("a padded tile of {} has rows of {} elements, a DMA moves at most {}", tensor.name, tile.columns,
           max_columns);
    }
    fail("a padded tile of {} has rows {} elements apart, a DMA can step at most {}", tensor.name, tile.row_stride,
         max_stride);
  }
  if (tile.rows > 1 && (is_long || is_far)) {
    for (uint64_t y = 0; y < tile.rows; ++y) {
      add_transfer(is_load, memory, static_cast<uint32_t>(sram + y * row), id,
                   {tile.offset + y * tile.row_stride, 1, tile.columns, tile.columns}, padding);
    }
    return;
  }
  if (is_long) {
    uint64_t at = sram;
    for (uint64_t x = 0; x < tile.columns; x += max_columns) {
      const uint64_t columns = std::min(max_columns, tile.columns - x);
      const Padding ends = {.left = x == 0 ? padding.left : 0,
                            .right = x + columns == tile.columns ? padding.right : 0};
      add_transfer(is_load, memory, static_cast<uint32_t>(at), id, {tile.offset + x, 1, columns, columns}, ends);
      at += ends.left + columns;
    }
    return;
  }

  isa::Transfer t;
  t.memory = memory;
  t.sram_base = sram;
  t.dram_base = static_cast<uint32_t>(tile.offset);
  t.y_size = static_cast<uint32_t>(tile.rows);
  t.x_size = static_cast<uint32_t>(tile.columns);
  t.x_stride = static_cast<uint32_t>(tile.rows == 1 ? std::min(tile.columns, max_stride) : tile.row_stride);
  t.y_pad_0 = padding.top;
  t.y_pad_1 = padding.bottom;
  t.x_pad_0 = padding.left;
  t.x_pad_1 = padding.right;

  const uint64_t end = sram + t.padded_row() * t.padded_rows();
  Operation operation;
  if (is_load) {
    operation.insn = isa::Load{{}, t};
  } else {
    operation.insn = isa::Store{{}, t};
  }
  operation.symbol = symbol;
  operation.accesses = {
      scratchpad_access(access_space(memory), {sram, end}, is_load),
      {Access::Space::kTensor, symbol, tile.offset * bytes, last * bytes, !is_load},
  };
  add(std::move(operation));
}

void ProgramBuilder::add_compute(const KernelNest& nest, StepOrder order, const std::string& kind,
                                 const std::function<isa::Insn(const FoldedKernel&)>& make,
                                 const std::vector<Access>& accesses) {
  for (FoldedKernel& folded : fold(nest, order, fold_limits_)) {
    isa::Insn insn = make(folded);
    const uint32_t kernel = kernels_.number(list_.kernels, {kind, std::move(folded.uops)});
    add({.insn = std::move(insn), .kernel = kernel, .accesses = accesses});
  }
}

void ProgramBuilder::reset(const KernelNest& nest) {
  std::vector<Access> accesses;
  add_accesses(accesses, Access::Space::kAcc, nest, kDst, true);
  add_compute(
      nest, StepOrder::kFree, "gemm.reset",
      [](const FoldedKernel& k) {
        return isa::Gemm{{}, true, k.loop, k.wgt_factor_out, k.wgt_factor_in};
      },
      accesses);
}

void ProgramBuilder::gemm(const KernelNest& nest) {
  std::vector<Access> accesses;
  add_accesses(accesses, Access::Space::kAcc, nest, kDst, true);
  add_accesses(accesses, Access::Space::kInp, nest, kSrc, false);
  add_accesses(accesses, Access::Space::kWgt, nest, kWgt, false);
  add_compute(
      nest, StepOrder::kFree, "gemm",
      [](const FoldedKernel& k) {
        return isa::Gemm{{}, false, k.loop, k.wgt_factor_out, k.wgt_factor_in};
      },
      accesses);
}

void ProgramBuilder::alu(isa::AluOp op, const KernelNest& nest, int32_t imm) {
  std::vector<Access> accesses;
  add_accesses(accesses, Access::Space::kAcc, nest, kDst, true);
  // An immediate makes every step the same function of its own destination: any order will do.
  add_compute(
      nest, StepOrder::kFree, fmt::format("alu.{}.imm", name(op)),
      [&](const FoldedKernel& k) {
        return isa::Alu{{}, op, k.loop, true, imm};
      },
      accesses);
}

void ProgramBuilder::alu(isa::AluOp op, const KernelNest& nest) {
  std::vector<Access> written, accesses;
  add_accesses(written, Access::Space::kAcc, nest, kDst, true);
  add_accesses(accesses, Access::Space::kAcc, nest, kSrc, false);
  // Order matters only where a step reads what another wrote, or folds into what another did; the latter commutes for
  // everything but shifts.
  const bool apart = std::none_of(accesses.begin(), accesses.end(), [&](const Access& read) {
    return std::any_of(written.begin(), written.end(),
                       [&](const Access& w) { return w.begin < read.end && read.begin < w.end; });
  });
  const bool commutes = op != isa::AluOp::kShr;
  accesses.insert(accesses.begin(), written.begin(), written.end());
  add_compute(
      nest, apart && commutes ? StepOrder::kSourceKept : StepOrder::kFixed, fmt::format("alu.{}", name(op)),
      [&](const FoldedKernel& k) {
        return isa::Alu{{}, op, k.loop, false, 0};
      },
      accesses);
}

void ProgramBuilder::yield() {
  if (turns_ != nullptr) turns_->emplace_back();
}

void ProgramBuilder::virtual_threads(int count, const std::function<void(int)>& body, ThreadOrder order) {
  VANTAGE_CHECK(count >= 1 && turns_ == nullptr);
  const std::array<Space, 3> whole = spaces_;
  std::vector<ThreadTurns> threads(static_cast<size_t>(count));
  for (int thread = 0; thread < count; ++thread) {
    for (size_t s = 0; s < spaces_.size(); ++s) {
      const uint32_t share = (whole[s].end - whole[s].next) / static_cast<uint32_t>(count);
      spaces_[s].next = whole[s].next + static_cast<uint32_t>(thread) * share;
      spaces_[s].end = spaces_[s].next + share;
    }
    turns_ = &threads[static_cast<size_t>(thread)];
    turns_->emplace_back();
    body(thread);
  }
  turns_ = nullptr;
  spaces_ = whole;
  check_apart(threads);
  const bool turns = order == ThreadOrder::kTurns;
  const uint64_t beat = list_.config.bus_width().count();
  std::vector<Operation> all =
      turns ? interleaved(std::move(threads), beat) : staggered(std::move(threads), list_.kernels, beat);
  std::move(all.begin(), all.end(), std::back_inserter(list_.operations));
}

OperationList ProgramBuilder::operations() {
  return std::move(list_);
}

Program ProgramBuilder::finish() {
  return vta::finish(operations());
}

}  // namespace vantage::vta
