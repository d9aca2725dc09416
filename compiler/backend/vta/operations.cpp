#include "compiler/backend/vta/operations.h"

#include <fmt/format.h>

#include <iterator>

#include "base/error.h"
#include "base/math.h"
#include "hw/isa/disassemble.h"

namespace vantage::vta {

namespace {

std::string text_of(const isa::MicroOp& uop) {
  return fmt::format(".uop dst={} src={} wgt={}", uop.dst, uop.src, uop.wgt);
}

std::string text_of(const Access& access, const OperationList& list) {
  std::string name;
  switch (access.space) {
    case Access::Space::kInp: name = "inp"; break;
    case Access::Space::kWgt: name = "wgt"; break;
    case Access::Space::kAcc: name = "acc"; break;
    case Access::Space::kTensor: name = list.tensors.at(access.tensor).name; break;
  }
  return fmt::format(" {}[{}:{}]", name, access.begin, access.end);
}

std::string text_of(const Operation& operation, const OperationList& list) {
  std::string dram;
  if (const isa::Transfer* t = isa::transfer(operation.insn)) {
    dram = fmt::format("{}", t->dram_base);
    if (operation.symbol == Relocation::kMicroOps) {
      dram = fmt::format("{}+{}", kMicroOpSymbol, dram);
    } else if (operation.symbol) {
      dram = fmt::format("{}+{}", list.tensors.at(*operation.symbol).name, dram);
    }
  }
  std::string text = isa::disassemble(operation.insn, dram);
  if (operation.kernel) {
    const std::string no_place = " uop=0:0 ";
    const size_t at = text.find(no_place);
    VANTAGE_CHECK(at != std::string::npos);
    text.replace(at, no_place.size(), fmt::format(" uop=k{} ", *operation.kernel));
  }
  std::string reads, writes;
  for (const Access& access : operation.accesses) (access.is_write ? writes : reads) += text_of(access, list);
  if (reads.empty() && writes.empty()) return text;
  text = fmt::format("{:<100} ;", text);
  if (!reads.empty()) text += " reads" + reads;
  if (!reads.empty() && !writes.empty()) text += ",";
  if (!writes.empty()) text += " writes" + writes;
  return text;
}

}  // namespace

bool conflict(const Operation& a, const Operation& b) {
  for (const Access& x : a.accesses) {
    for (const Access& y : b.accesses) {
      if ((x.is_write || y.is_write) && overlap(x, y)) return true;
    }
  }
  return false;
}

bool is_gemm(const Operation& operation) {
  const auto* gemm = std::get_if<isa::Gemm>(&operation.insn);
  return gemm != nullptr && !gemm->reset;
}

bool is_reset(const Operation& operation) {
  const auto* gemm = std::get_if<isa::Gemm>(&operation.insn);
  return gemm != nullptr && gemm->reset;
}

bool is_vector(const Operation& operation) {
  return is_reset(operation) || std::holds_alternative<isa::Alu>(operation.insn);
}

const isa::Transfer* load_of(const Operation& operation) {
  const auto* load = std::get_if<isa::Load>(&operation.insn);
  return load != nullptr ? &load->transfer : nullptr;
}

uint64_t beats_of(const isa::Transfer& t, const isa::Config& config) {
  return t.y_size * ceil_div(t.x_size * config.element_size(t.memory).count(), config.bus_width().count());
}

bool is_operand_load(const Operation& operation) {
  return load_of(operation) != nullptr && isa::stage(operation.insn) == isa::Stage::kLoad;
}

uint64_t steps(const Operation& operation, const std::vector<Kernel>& kernels) {
  const auto* gemm = std::get_if<isa::Gemm>(&operation.insn);
  const isa::Loop& loop = gemm != nullptr ? gemm->loop : std::get<isa::Alu>(operation.insn).loop;
  return uint64_t{loop.iter_out} * loop.iter_in * kernels.at(*operation.kernel).uops.size();
}

StepCounts count_steps(const OperationList& list) {
  StepCounts counts;
  for (const Operation& operation : list.operations) {
    if (!operation.kernel) continue;
    (is_gemm(operation) ? counts.gemm : counts.vector) += steps(operation, list.kernels);
  }
  return counts;
}

std::string to_text(const OperationList& list) {
  std::string text = fmt::format("; {}\n", list.config.name());
  auto out = std::back_inserter(text);
  for (const ProgramTensor& tensor : list.tensors) {
    fmt::format_to(out, ".tensor {} {} {} {}\n", tensor.name, isa::name(tensor.memory), tensor.elements,
                   name(tensor.role));
  }
  for (size_t k = 0; k < list.kernels.size(); ++k) {
    fmt::format_to(out, ".kernel k{} {}\n", k, list.kernels[k].kind);
    for (const isa::MicroOp& uop : list.kernels[k].uops) fmt::format_to(out, "  {}\n", text_of(uop));
  }
  for (size_t i = 0; i < list.uops.size(); ++i) fmt::format_to(out, "{:<40} ; {}\n", text_of(list.uops[i]), i);
  for (const Operation& operation : list.operations) fmt::format_to(out, "{}\n", text_of(operation, list));
  return text;
}

Program to_program(OperationList list) {
  Program program{list.config, {}, std::move(list.uops), std::move(list.tensors), {}};
  for (Operation& operation : list.operations) {
    VANTAGE_CHECK(!operation.kernel);
    if (operation.symbol) {
      program.relocations.push_back({static_cast<uint32_t>(program.insns.size()), *operation.symbol});
    }
    program.insns.push_back(std::move(operation.insn));
  }
  return program;
}

}  // namespace vantage::vta
