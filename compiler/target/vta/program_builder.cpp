#include "compiler/target/vta/program_builder.h"

#include <algorithm>

#include "compiler/target/vta/transfer_passes.h"
#include "hw/spec/codec.h"
#include "hw/spec/error.h"

namespace vantage::compiler {

using isa::Memory;

namespace {

constexpr uint64_t kMaxExtent = UINT16_MAX;  // y_size, x_size and x_stride are 16 bits wide

Access::Space access_space(Memory memory) {
  if (memory == Memory::kInp) return Access::Space::kInp;
  if (memory == Memory::kWgt) return Access::Space::kWgt;
  return Access::Space::kAcc;
}

const char* name_of(Access::Space space) {
  if (space == Access::Space::kInp) return "INP";
  return space == Access::Space::kWgt ? "WGT" : "ACC";
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

ProgramBuilder::ProgramBuilder(const spec::Config& config) : config_(config), program_{config, {}, {}, {}, {}} {
  for (Memory memory : {Memory::kInp, Memory::kWgt, Memory::kAcc}) {
    space(memory).end = static_cast<uint32_t>(config.depth(memory).count());
  }
}

ProgramBuilder::Space& ProgramBuilder::space(Memory memory) {
  VANTAGE_CHECK(memory != Memory::kUop);  // kernels are placed by the builder itself
  return spaces_[static_cast<size_t>(access_space(memory))];
}

TensorId ProgramBuilder::tensor(std::string name, Memory memory, uint64_t elements, TensorRole role) {
  if (!is_tensor_name(name)) fail("'{}' cannot name a tensor", name);
  if (elements > UINT32_MAX) {
    fail("the tensor {} has {} elements, more than 32-bit DRAM addresses can name", name, elements);
  }
  program_.tensors.push_back({std::move(name), memory, static_cast<uint32_t>(elements), role});
  loaded_.push_back(false);
  stored_.push_back(false);
  return static_cast<TensorId>(program_.tensors.size() - 1);
}

uint64_t ProgramBuilder::available(Memory memory) const {
  return space(memory).end - space(memory).next;
}

Region ProgramBuilder::allocate(Memory memory, uint64_t count, std::string_view what) {
  Space& s = space(memory);
  if (count > available(memory)) {
    fail(
        "{} needs {} elements of the {} scratchpad, which has {} left of {}; use smaller blocks or fewer virtual "
        "threads",
        what, count, isa::name(memory), available(memory), config_.depth(memory).count());
  }
  const Region region{s.next, static_cast<uint32_t>(count)};
  s.next += region.count;
  return region;
}

void ProgramBuilder::add(Operation operation) {
  if (turns_ != nullptr) {
    turns_->back().push_back(std::move(operation));
  } else {
    operations_.push_back(std::move(operation));
  }
}

void ProgramBuilder::load(uint32_t sram, TensorId id, const Tile& tile, const Padding& padding) {
  load_as(program_.tensors.at(static_cast<uint32_t>(id)).memory, sram, id, tile, padding);
}

void ProgramBuilder::load_as(Memory memory, uint32_t sram, TensorId id, const Tile& tile, const Padding& padding) {
  loaded_.at(static_cast<uint32_t>(id)) = true;
  add_transfer(true, memory, sram, id, tile, padding);
}

void ProgramBuilder::store(TensorId id, const Tile& tile, uint32_t sram) {
  stored_.at(static_cast<uint32_t>(id)) = true;
  add_transfer(false, program_.tensors[static_cast<uint32_t>(id)].memory, sram, id, tile, {});
}

void ProgramBuilder::add_transfer(bool is_load, Memory memory, uint32_t sram, TensorId id, const Tile& tile,
                                  const Padding& padding) {
  if (tile.rows == 0 || tile.columns == 0) return;
  const auto symbol = static_cast<uint32_t>(id);
  const Tensor& tensor = program_.tensors.at(symbol);
  const uint64_t bytes = config_.element_size(memory).count();
  const uint64_t last = tile.offset + (tile.rows - 1) * tile.row_stride + tile.columns;
  if (const uint64_t elements = program_.symbol_size(symbol).count() / bytes; last > elements) {
    fail("a {} reaches element {} of tensor {}, which has {}", is_load ? "load" : "store", last - 1, tensor.name,
         elements);
  }
  const uint64_t row = uint64_t{padding.left} + tile.columns + padding.right;
  // Rows too far apart, or too many, for one instruction: one each. Only an unpadded tile can be cut so.
  const bool fits = tile.rows <= kMaxExtent && (tile.rows == 1 || tile.row_stride <= kMaxExtent);
  if (!fits) {
    if (padding.top != 0 || padding.bottom != 0) {
      fail("a padded tile of {} has rows {} elements apart, a DMA can step at most {}", tensor.name, tile.row_stride,
           kMaxExtent);
    }
    for (uint64_t y = 0; y < tile.rows; ++y) {
      add_transfer(is_load, memory, static_cast<uint32_t>(sram + y * row), id,
                   {tile.offset + y * tile.row_stride, 1, tile.columns, tile.columns}, padding);
    }
    return;
  }

  isa::Transfer t;
  t.memory = memory;
  t.sram_base = sram;
  t.dram_base = static_cast<uint32_t>(tile.offset);
  t.y_size = static_cast<uint32_t>(tile.rows);
  t.x_size = static_cast<uint32_t>(tile.columns);
  t.x_stride = static_cast<uint32_t>(tile.rows == 1 ? std::min(tile.columns, kMaxExtent) : tile.row_stride);
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
  for (FoldedKernel& folded : fold(nest, order, config_.depth(Memory::kUop).count())) {
    add({make(folded), std::nullopt, kind, std::move(folded.uops), accesses});
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

void ProgramBuilder::alu(isa::AluOp op, const KernelNest& nest, int16_t imm) {
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
      nest, apart && commutes ? StepOrder::kFree : StepOrder::kFixed, fmt::format("alu.{}", name(op)),
      [&](const FoldedKernel& k) {
        return isa::Alu{{}, op, k.loop, false, 0};
      },
      accesses);
}

void ProgramBuilder::yield() {
  if (turns_ != nullptr) turns_->emplace_back();
}

void ProgramBuilder::virtual_threads(int count, const std::function<void(int)>& body) {
  VANTAGE_CHECK(count >= 1 && turns_ == nullptr);
  const std::array<Space, 3> whole = spaces_;
  std::vector<std::vector<Turn>> threads(static_cast<size_t>(count));
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

  // In each round, turns that only load come first: what computes would hold them up, but is not held up by them.
  size_t rounds = 0;
  for (const auto& turns : threads) rounds = std::max(rounds, turns.size());
  const auto only_loads = [](const Turn* turn) {
    return std::all_of(turn->begin(), turn->end(), [](const Operation& o) { return load_of(o) != nullptr; });
  };
  for (size_t round = 0; round < rounds; ++round) {
    std::vector<Turn*> turns;
    for (auto& thread : threads) {
      if (round < thread.size()) turns.push_back(&thread[round]);
    }
    std::stable_partition(turns.begin(), turns.end(), only_loads);
    for (Turn* turn : turns) std::move(turn->begin(), turn->end(), std::back_inserter(operations_));
  }
}

// Interleaved, threads do what they do one after another only if none writes what another one uses.
void ProgramBuilder::check_apart(const std::vector<std::vector<Turn>>& threads) {
  constexpr int kNobody = -1, kSeveral = -2;
  struct Users {
    int writer = kNobody, any = kNobody;
  };
  std::array<std::vector<Users>, 3> elements;
  const auto note = [](int& user, int thread) { user = user == kNobody || user == thread ? thread : kSeveral; };
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    for (const Turn& turn : threads[thread]) {
      for (const Operation& operation : turn) {
        for (const Access& access : operation.accesses) {
          if (access.space == Access::Space::kTensor) continue;
          auto& list = elements[static_cast<size_t>(access.space)];
          if (list.size() < access.end) list.resize(access.end);
          for (uint64_t e = access.begin; e < access.end; ++e) {
            note(list[e].any, static_cast<int>(thread));
            if (access.is_write) note(list[e].writer, static_cast<int>(thread));
            if (list[e].writer == kNobody || list[e].any != kSeveral) continue;
            fail(
                "virtual threads share element {} of the {} scratchpad, and one of them writes it; compute what they "
                "share outside of them",
                e, name_of(access.space));
          }
        }
      }
    }
  }
}

Program ProgramBuilder::finish() {
  remove_repeated_loads(operations_);
  remove_dead_loads(operations_);
  load_in_order_of_use(operations_);
  merge_transfers(operations_);  // what is needed at different times stays apart
  TokenInserter tokens(config_);
  load_all_kernels(tokens);
  for (Operation& operation : operations_) emit(std::move(operation), tokens);
  program_.insns = tokens.finish();
  check_tables(program_, "program");
  return std::move(program_);
}

// Where all kernels fit beside each other, one load at the beginning brings them, rather than one latency each.
void ProgramBuilder::load_all_kernels(TokenInserter& tokens) {
  uint64_t size = 0;
  for (const Operation& operation : operations_) {
    if (operation.kernel_kind.empty()) continue;
    const size_t known = kernels_.size();
    const auto kernel = kernel_of(operation);
    if (kernels_.size() > known) size += kernel->uops.size();
  }
  if (kernels_.empty() || size > config_.depth(Memory::kUop).count()) return;
  load_uops(0, 0, static_cast<uint32_t>(size), tokens);
  for (Kernel& kernel : kernels_) kernel.resident_at = kernel.program_offset;
  next_uop_ = static_cast<uint32_t>(size);
}

void ProgramBuilder::emit(Operation operation, TokenInserter& tokens) {
  if (!operation.kernel_kind.empty()) {
    const uint32_t begin = make_resident(operation, tokens);
    const auto end = static_cast<uint32_t>(begin + operation.uops.size());
    const auto set_uops = [&](isa::Loop& loop) {
      loop.uop_bgn = begin;
      loop.uop_end = end;
    };
    if (auto* gemm = std::get_if<isa::Gemm>(&operation.insn)) set_uops(gemm->loop);
    if (auto* alu = std::get_if<isa::Alu>(&operation.insn)) set_uops(alu->loop);
  }
  append(std::move(operation.insn), operation.accesses, operation.symbol, tokens);
}

// The kernel's place in the micro-op scratchpad, loading it there if need be. Kernels are placed one after another;
// at the end the scratchpad is filled again from its start, over the kernels that were loaded longest ago.
uint32_t ProgramBuilder::make_resident(Operation& operation, TokenInserter& tokens) {
  const auto kernel = kernel_of(operation);
  if (kernel->resident_at) return *kernel->resident_at;

  const auto size = static_cast<uint32_t>(kernel->uops.size());
  if (next_uop_ + size > config_.depth(Memory::kUop).count()) next_uop_ = 0;
  const uint32_t begin = next_uop_;
  for (Kernel& other : kernels_) {
    if (other.resident_at && *other.resident_at < begin + size && begin < *other.resident_at + other.uops.size()) {
      other.resident_at.reset();
    }
  }
  kernel->resident_at = begin;
  next_uop_ += size;

  load_uops(begin, kernel->program_offset, size, tokens);
  return begin;
}

std::vector<ProgramBuilder::Kernel>::iterator ProgramBuilder::kernel_of(const Operation& operation) {
  const auto known = std::find_if(kernels_.begin(), kernels_.end(), [&](const Kernel& k) {
    return k.kind == operation.kernel_kind && k.uops == operation.uops;
  });
  if (known != kernels_.end()) return known;
  const auto offset = static_cast<uint32_t>(program_.uops.size());
  program_.uops.insert(program_.uops.end(), operation.uops.begin(), operation.uops.end());
  return kernels_.insert(kernels_.end(), {operation.kernel_kind, operation.uops, offset, std::nullopt});
}

void ProgramBuilder::load_uops(uint32_t sram, uint32_t program_offset, uint32_t count, TokenInserter& tokens) {
  for (uint32_t done = 0; done < count;) {  // x_size is 16 bits wide
    const uint32_t part = std::min<uint32_t>(count - done, kMaxExtent);
    isa::Load load;
    load.transfer.memory = Memory::kUop;
    load.transfer.sram_base = sram + done;
    load.transfer.dram_base = program_offset + done;
    load.transfer.y_size = 1;
    load.transfer.x_size = part;
    load.transfer.x_stride = part;
    append(load, {}, Relocation::kMicroOps, tokens);
    done += part;
  }
}

void ProgramBuilder::append(isa::Insn insn, const std::vector<Access>& accesses, std::optional<uint32_t> symbol,
                            TokenInserter& tokens) {
  const size_t index = tokens.append(std::move(insn), relevant(accesses));
  if (symbol) program_.relocations.push_back({static_cast<uint32_t>(index), *symbol});
}

// Only tensors that are both loaded and stored can cause a conflict between stages.
std::vector<Access> ProgramBuilder::relevant(const std::vector<Access>& accesses) const {
  std::vector<Access> kept;
  for (const Access& access : accesses) {
    const bool shared = access.space != Access::Space::kTensor || (loaded_[access.tensor] && stored_[access.tensor]);
    if (shared) kept.push_back(access);
  }
  return kept;
}

}  // namespace vantage::compiler
