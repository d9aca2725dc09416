// A small machine that runs any instruction words at all, and the check that its verdict is the verifier's.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "hw/isa/codec.h"
#include "sim/functional/functional_machine.h"
#include "tests/support/random_program.h"

namespace vantage::test {

class HostileMachine {
 public:
  // The seed picks the configuration and the contents of memory.
  explicit HostileMachine(uint64_t seed);

  struct Outcome {
    bool ok;                   // it ran to its FINISH
    std::string disagreement;  // between machine and verifier, or empty
  };
  // Runs the words from zeroed scratchpads.
  Outcome run(const std::vector<isa::Words>& words);

  const isa::Config& config() const { return config_; }
  // A legal program of this configuration, encoded, to start from.
  const std::vector<isa::Words>& legal_words() const { return legal_words_; }

 private:
  isa::Config config_;
  isa::Codec codec_;
  std::vector<isa::Words> legal_words_;
  std::vector<std::byte> initial_;
  sim::Dram dram_;
  std::unique_ptr<sim::Machine> machine_;
};

// Random bits, or pieces of the legal program with bits flipped; mostly ended by FINISH.
std::vector<isa::Words> hostile_words(const HostileMachine& machine, std::mt19937_64& random);

}  // namespace vantage::test
