// From recorded operations to a program: passes over transfers, kernels and their places, tokens.
#include <algorithm>

#include "compiler/backend/vta/program_builder.h"
#include "compiler/backend/vta/transfer_passes.h"
#include "hw/isa/codec.h"

namespace vantage::vta {

using isa::Memory;

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

}  // namespace vantage::vta
