// A replay bundle: one run, frozen. The configuration, the memory it starts from, where its instructions are, and
// what memory and counters must be afterwards. Format "vta-bundle/1": docs/bundle-format.md.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/units.h"
#include "hw/isa/codec.h"
#include "hw/isa/config.h"
#include "hw/program/verifier.h"

namespace vantage {

// Bytes at an address of the flat 32-bit DRAM.
struct MemorySegment {
  Bytes address;
  std::string bytes;
  bool operator==(const MemorySegment&) const = default;
};

// What lies at an address, by the name that the program has for it: a tensor, or its micro-ops ("uops").
struct BundleSymbol {
  std::string name;
  Bytes address, size;
  bool is_output = false;
  bool operator==(const BundleSymbol&) const = default;
};

struct Bundle {
  std::string name;
  isa::Config config;
  Bytes insn_address;
  uint64_t insn_count = 0;
  std::vector<MemorySegment> memory;         // initial; everything else starts as zero
  std::vector<MemorySegment> expect;         // after the run
  std::map<std::string, uint64_t> counters;  // by the names of isa::kCounters, any subset
  std::vector<BundleSymbol> symbols = {};    // empty where the recorder knows none

  bool operator==(const Bundle&) const = default;

  // The encoded instructions up to and including FINISH, read from `memory`.
  std::vector<isa::Words> insns() const;
  // The bytes [address, address + size) before the run.
  std::string initial_bytes(Bytes address, Bytes size) const;
  // Every diagnostic of its instructions, on a device just opened.
  std::vector<Diagnostic> verify() const;
  // True if an instruction loads 8-bit accumulators: another recorder's acc_load_nbytes may follow another rule then.
  bool loads_acc8() const;
};

// Reads a bundle's directory. Throws Error naming the file and what is wrong.
Bundle load_bundle(const std::filesystem::path& directory);

// Writes it; the directory appears complete or not at all. Throws Error if it exists already.
void save_bundle(const Bundle& bundle, const std::filesystem::path& directory);

}  // namespace vantage
