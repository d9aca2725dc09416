// Random legal programs. Instructions are drawn first; tokens then follow from what each of them touches, so that every
// interleaving that the tokens allow must give the same result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/isa/config.h"
#include "hw/isa/insn.h"
#include "hw/program/bundle.h"

namespace vantage::test {

// A program in a small DRAM: data and micro-ops below, instructions from kInsnAddress on.
struct RandomProgram {
  static constexpr uint64_t kInsnAddress = 1 << 16;
  static constexpr uint64_t kDramBytes = 1 << 17;

  isa::Config config;
  std::vector<isa::Insn> insns;  // without tokens and without FINISH
  std::vector<std::byte> data;   // initial bytes of [0, kInsnAddress)
  uint64_t seed;                 // of tokens that nothing needs
};

RandomProgram random_program(const isa::Config& config, uint64_t seed, size_t insn_count);

// The instructions with tokens for every conflict, and some that nothing needs; FINISH at the end.
std::vector<isa::Insn> with_tokens(const RandomProgram& program);

// The whole DRAM before a run, and how many instructions lie at kInsnAddress.
struct DramImage {
  std::vector<std::byte> bytes;
  uint64_t insn_count;
};
DramImage image_of(const RandomProgram& program);

// As a replay bundle that expects the given memory; for saving failures.
Bundle bundle_of(const RandomProgram& program, const std::string& name, const std::vector<std::byte>& expected);

}  // namespace vantage::test
