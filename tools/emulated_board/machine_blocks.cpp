#include "tools/emulated_board/machine_blocks.h"

#include <map>
#include <variant>

#include "base/error.h"
#include "hw/isa/codec.h"

namespace vantage::emulated {

using namespace isa;

namespace {

constexpr uint32_t kStartBit = 1u << 0;
constexpr uint32_t kAutoRestart = 1u << 7;

// Reads of done, or ticks, from a start to the run.
constexpr int kDelay = 3;

class MachineBlocks : public Fabric {
 public:
  MachineBlocks(std::unique_ptr<sim::Machine> machine, sim::Dram& memory, const boards::RunProtocol& map)
      : machine_(std::move(machine)), memory_(memory), registers_(map.registers) {}

  uint32_t read(uint32_t offset) override {
    if (offset == at("compute.done_read")) {
      tick();
      return done_ ? 1 : 0;
    }
    const auto word = words_.find(offset);
    return word == words_.end() ? 0 : word->second;
  }

  void write(uint32_t offset, uint32_t value) override {
    words_[offset] = value;
    if (offset == at("fetch.control") && (value & kStartBit) != 0) delay_ = kDelay;
  }

  void tick() override {
    if (delay_ == 0 || --delay_ > 0) return;
    words_[at("fetch.control")] = 0;
    // A block that was not started stands still, and with it the others.
    for (const char* control : {"load.control", "compute.control", "store.control"}) {
      if (words_[at(control)] != (kStartBit | kAutoRestart)) return;
    }
    // Bases are added to what instructions say: the driver gives absolute addresses, and bases of 0.
    for (const char* base :
         {"load.inp_address", "load.wgt_address", "compute.uop_address", "compute.bias_address", "store.out_address"}) {
      if (words_[at(base)] != 0) return;
    }
    run({Bytes(words_[at("fetch.insn_address")]), words_[at("fetch.insn_count")]});
  }

  bool interrupt() const override { return false; }

 private:
  uint32_t at(const std::string& name) const { return registers_.at(name); }

  void run(const sim::ProgramImage& image) {
    if (image.insn_count == 0) return;
    const Codec codec(machine_->config());
    const auto last = image_bytes(memory_, image).subspan((image.insn_count - 1) * kInsnBytes).first<kInsnBytes>();
    const Decoded decoded = codec.decode(load_words(last));
    // Machines want a FINISH. Without one the blocks run what there is, and are not done.
    const bool finishes = decoded.insn && std::holds_alternative<Finish>(*decoded.insn);
    done_ = false;
    // These blocks check nothing. What a machine refuses leaves them stuck at best.
    if (finishes) done_ = machine_->run(memory_, image, {}).ok();
  }

  const std::unique_ptr<sim::Machine> machine_;
  sim::Dram& memory_;
  const std::map<std::string, uint32_t> registers_;
  std::map<uint32_t, uint32_t> words_;  // by offset, as written
  int delay_ = 0;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Fabric> machine_blocks(std::unique_ptr<sim::Machine> machine, sim::Dram& memory,
                                       const boards::RunProtocol& map) {
  return std::make_unique<MachineBlocks>(std::move(machine), memory, map);
}

}  // namespace vantage::emulated
