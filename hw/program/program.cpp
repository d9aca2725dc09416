#include "hw/program/program.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "base/stop.h"
#include "base/suggest.h"
#include "hw/isa/codec.h"

namespace vantage {

std::string_view name(TensorRole role) {
  return role == TensorRole::kInput ? "input" : "output";
}

std::optional<TensorRole> tensor_role_from_name(std::string_view text) {
  for (TensorRole role : {TensorRole::kInput, TensorRole::kOutput}) {
    if (name(role) == text) return role;
  }
  return std::nullopt;
}

std::optional<std::string> fault_of_tensor_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  constexpr size_t kMaxLength = 200;
  const bool can_name =
      !text.empty() && text.size() <= kMaxLength && is_letter(text[0]) && text != kMicroOpSymbol &&
      std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c) || c == '.'; });
  if (can_name) return std::nullopt;
  return fmt::format("'{}' cannot name a tensor; use letters, digits, '_' and '.', a letter first, and not '{}'", text,
                     kMicroOpSymbol);
}

uint32_t Program::tensor_index(std::string_view wanted) const {
  for (uint32_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].name == wanted) return i;
  }
  std::vector<std::string> names;
  for (const ProgramTensor& tensor : tensors) names.push_back(tensor.name);
  fail("the program has no tensor '{}'{}", wanted, did_you_mean(wanted, names));
}

Bytes Program::symbol_size(uint32_t symbol) const {
  if (symbol == Relocation::kMicroOps) return Bytes(uops.size() * isa::kMicroOpBytes);
  const ProgramTensor& tensor = tensors.at(symbol);
  return config.element_size(tensor.memory) * tensor.elements;
}

std::string_view Program::symbol_name(uint32_t symbol) const {
  return symbol == Relocation::kMicroOps ? kMicroOpSymbol : std::string_view(tensors.at(symbol).name);
}

Bytes Program::moved() const {
  Bytes sum;
  for (const isa::Insn& insn : insns) {
    const isa::Transfer* const transfer = isa::transfer(insn);
    if (transfer == nullptr) continue;
    sum += config.element_size(transfer->memory) * (uint64_t{transfer->x_size} * transfer->y_size);
  }
  return sum;
}

void check_symbols(const Program& program, std::string_view source, const std::stop_token& stop) {
  std::unordered_set<std::string_view> names;
  for (const ProgramTensor& tensor : program.tensors) {
    require_going_on(stop);
    if (const auto fault = fault_of_tensor_name(tensor.name)) fail("{}: {}", source, *fault);
    if (!names.insert(tensor.name).second) fail("{}: two tensors are named '{}'", source, tensor.name);
  }
  int64_t previous = -1;
  for (const Relocation& relocation : program.relocations) {
    require_going_on(stop);
    if (relocation.insn >= program.insns.size()) {
      fail("{}: a relocation names instruction {}, but there are {}", source, relocation.insn, program.insns.size());
    }
    if (static_cast<int64_t>(relocation.insn) <= previous) {
      fail("{}: relocations must be in ascending order of instruction, one each; {} follows {}", source,
           relocation.insn, previous);
    }
    previous = relocation.insn;
    if (isa::transfer(program.insns[relocation.insn]) == nullptr) {
      fail("{}: a relocation names instruction {}, which is neither LOAD nor STORE", source, relocation.insn);
    }
    if (relocation.symbol != Relocation::kMicroOps && relocation.symbol >= program.tensors.size()) {
      fail("{}: a relocation names tensor {}, but there are {}", source, relocation.symbol, program.tensors.size());
    }
  }
}

void check_tables(const Program& program, std::string_view source) {
  check_symbols(program, source);
  const isa::Codec codec(program.config);
  for (size_t i = 0; i < program.insns.size(); ++i) {
    try {
      codec.encode(program.insns[i]);
    } catch (const Error& e) {
      fail("{}: instruction {}: {}", source, i, e.what());
    }
  }
  for (size_t i = 0; i < program.uops.size(); ++i) {
    try {
      codec.encode(program.uops[i]);
    } catch (const Error& e) {
      fail("{}: micro-op {}: {}", source, i, e.what());
    }
  }
}

}  // namespace vantage
