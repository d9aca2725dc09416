#include <fmt/format.h>

#include "hw/isa/disassemble.h"

namespace vantage::isa {

namespace {

std::string deps_text(const Deps& deps) {
  const auto list = [](std::string_view key, bool prev, bool next) -> std::string {
    if (!prev && !next) return {};
    return fmt::format(" {}={}", key, prev && next ? "prev,next" : prev ? "prev" : "next");
  };
  return list("pop", deps.pop_prev, deps.pop_next) + list("push", deps.push_prev, deps.push_next);
}

std::string transfer_text(std::string_view mnemonic, const Transfer& t, std::string_view dram) {
  std::string text =
      fmt::format("{:<10} sram={} dram={} y={} x={} stride={}", fmt::format("{}.{}", mnemonic, name(t.memory)),
                  t.sram_base, dram, t.y_size, t.x_size, t.x_stride);
  if (t.y_pad_0 != 0 || t.y_pad_1 != 0 || t.x_pad_0 != 0 || t.x_pad_1 != 0) {
    text += fmt::format(" pad={},{},{},{}", t.y_pad_0, t.y_pad_1, t.x_pad_0, t.x_pad_1);
  }
  return text;
}

std::string loop_text(std::string_view mnemonic, const Loop& loop) {
  return fmt::format("{:<10} uop={}:{} out={} in={} dst={},{} src={},{}", mnemonic, loop.uop_bgn, loop.uop_end,
                     loop.iter_out, loop.iter_in, loop.dst_factor_out, loop.dst_factor_in, loop.src_factor_out,
                     loop.src_factor_in);
}

}  // namespace

std::string disassemble(const Insn& insn, std::string_view dram) {
  struct Visitor {
    std::string_view dram;
    std::string operator()(const Load& i) const { return transfer_text("load", i.transfer, dram); }
    std::string operator()(const Store& i) const { return transfer_text("store", i.transfer, dram); }
    std::string operator()(const Gemm& i) const {
      return loop_text(i.reset ? "gemm.reset" : "gemm", i.loop) +
             fmt::format(" wgt={},{}", i.wgt_factor_out, i.wgt_factor_in);
    }
    std::string operator()(const Alu& i) const {
      std::string text = loop_text(fmt::format("alu.{}", name(i.op)), i.loop);
      if (i.use_imm) text += fmt::format(" imm={}", i.imm);
      return text;
    }
    std::string operator()(const Finish&) const { return "finish"; }
  };
  return std::visit(Visitor{dram}, insn) + deps_text(deps(insn));
}

std::string disassemble(const Insn& insn) {
  const Transfer* t = transfer(insn);
  return disassemble(insn, t == nullptr ? "" : fmt::format("{}", t->dram_base));
}

}  // namespace vantage::isa
