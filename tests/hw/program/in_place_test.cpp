#include "hw/program/in_place.h"

#include <random>
#include <set>

#include "base/json.h"
#include "hw/isa/tokens.h"
#include "hw/program/assembly.h"
#include "tests/catch.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::hw_program_in_place_test {

using namespace vantage;
using namespace vantage::isa;

namespace {

constexpr uint32_t kWritten = 0;
const std::string kTensors = ".tensor Y out 8 output\n.tensor X inp 8 input\n.tensor R acc8 8 input\n";

Program program_of(const std::string& lines) {
  return assemble(".config " + Config::vta_default().to_json().dump() + "\n" + kTensors + lines, "p.s");
}

std::string names(const Program& program) {
  std::string text;
  for (const TensorsInPlace& pair : tensors_in_place(program)) {
    text += program.tensors[pair.written].name + program.tensors[pair.read].name + " ";
  }
  return text;
}

// Loads, stores and steps between them at random, with tokens at random.
Program random_program(std::mt19937_64& random) {
  Program program = program_of("finish\n");
  program.insns.clear();
  const auto flag = [&] { return random() % 3 == 0; };
  for (size_t i = 0; i < 8; ++i) {
    Transfer t;
    t.dram_base = static_cast<uint32_t>(random() % 6);
    t.y_size = 1 + static_cast<uint32_t>(random() % 2);
    t.x_stride = 2;
    t.x_size = 1;
    const uint32_t what = static_cast<uint32_t>(random() % 3);
    t.memory = program.tensors[what].memory;
    Insn insn = what == kWritten ? Insn(Store{{}, t}) : Insn(Load{{}, t});
    Deps& d = deps(insn);
    const Stage at = stage(insn);
    d.pop_prev = flag() && pop_prev_queue(at);
    d.pop_next = flag() && pop_next_queue(at);
    d.push_prev = flag() && push_prev_queue(at);
    d.push_next = flag() && push_next_queue(at);
    program.relocations.push_back({static_cast<uint32_t>(program.insns.size()), what});
    program.insns.push_back(insn);
  }
  return program;
}

std::set<uint32_t> elements(const Transfer& t) {
  std::set<uint32_t> all;
  for (uint32_t y = 0; y < t.y_size; ++y) {
    for (uint32_t x = 0; x < t.x_size; ++x) all.insert(t.dram_base + y * t.x_stride + x);
  }
  return all;
}

// All orders that tokens allow: instructions done of each stage.
class Orders {
 public:
  explicit Orders(const Program& program) : program_(program) {
    for (size_t i = 0; i < program.insns.size(); ++i) {
      stages_[static_cast<size_t>(stage(program.insns[i]))].push_back(i);
    }
    go({}, TokenCounts());
  }

  bool ends = false;                // in at least one, and so in every order
  std::set<uint32_t> written_over;  // tensors of which a store may write what a load has still to read

 private:
  using Done = std::array<size_t, kAllStages.size()>;

  void go(const Done& done, const TokenCounts& tokens) {
    if (!seen_.insert(done).second) return;
    bool all = true;
    for (size_t s = 0; s < done.size(); ++s) {
      if (done[s] == stages_[s].size()) continue;
      all = false;
      const Insn& insn = program_.insns[stages_[s][done[s]]];
      if (tokens.blocked_on(insn)) continue;
      if (const auto* store = std::get_if<Store>(&insn)) find_reads_behind(done, elements(store->transfer));
      Done next = done;
      ++next[s];
      TokenCounts then = tokens;
      then.pop_for(insn);
      then.push_for(insn);
      go(next, then);
    }
    ends = ends || all;
  }

  void find_reads_behind(const Done& done, const std::set<uint32_t>& stored) {
    for (size_t s = 0; s < done.size(); ++s) {
      for (size_t i = done[s]; i < stages_[s].size(); ++i) {
        const size_t insn = stages_[s][i];
        const auto* load = std::get_if<Load>(&program_.insns[insn]);
        if (load == nullptr) continue;
        for (const uint32_t element : elements(load->transfer)) {
          if (stored.count(element) != 0) written_over.insert(program_.relocations[insn].symbol);
        }
      }
    }
  }

  const Program& program_;
  std::array<std::vector<size_t>, kAllStages.size()> stages_;
  std::set<Done> seen_;
};

}  // namespace

TEST_CASE("a tensor is written where another lies if each element was read by then", "[unit]") {
  // As a residual is added: loaded, computed on, stored.
  CHECK(names(program_of("load.acc8 sram=0 dram=R+0 y=1 x=4 stride=4 push=next\n"
                         "store.out sram=0 dram=Y+0 y=1 x=4 stride=4 pop=prev\n"
                         "load.acc8 sram=4 dram=R+4 y=1 x=4 stride=4 push=next\n"
                         "store.out sram=4 dram=Y+4 y=1 x=4 stride=4 pop=prev\nfinish\n")) == "YX YR ");
  // No token says that it was loaded before.
  CHECK(names(program_of("load.acc8 sram=0 dram=R+0 y=1 x=4 stride=4\n"
                         "store.out sram=0 dram=Y+0 y=1 x=4 stride=4\nfinish\n")) == "YX ");
  // One is needed again.
  CHECK(names(program_of("load.acc8 sram=0 dram=R+0 y=1 x=4 stride=4 push=next\n"
                         "store.out sram=0 dram=Y+0 y=1 x=4 stride=4 pop=prev\n"
                         "load.acc8 sram=4 dram=R+3 y=1 x=4 stride=4 push=next\n"
                         "store.out sram=4 dram=Y+4 y=1 x=4 stride=4 pop=prev\nfinish\n")) == "YX ");
  // Tokens go from stage to stage.
  CHECK(names(program_of("load.inp sram=0 dram=X+0 y=1 x=8 stride=8 push=next\n"
                         "load.acc8 sram=0 dram=R+0 y=1 x=8 stride=8 pop=prev push=next\n"
                         "store.out sram=0 dram=Y+0 y=1 x=8 stride=8 pop=prev\nfinish\n")) == "YX YR ");
  // A load that is in bytes of another size may be anywhere.
  CHECK(names(program_of("load.acc sram=0 dram=R+0 y=1 x=1 stride=1 push=next\n"
                         "store.out sram=0 dram=Y+7 y=1 x=1 stride=1 pop=prev\nfinish\n")) == "YX ");
}

TEST_CASE("what may be in place is what no order of the stages could spoil", "[property]") {
  int in_place = 0, not_in_place = 0;
  std::mt19937_64 random = test::generator(1);
  for (int round = 0; round < rounds(3000); ++round) {
    const Program program = random_program(random);
    const Orders orders(program);
    if (!orders.ends) continue;
    std::set<uint32_t> free;
    for (const TensorsInPlace& pair : tensors_in_place(program)) free.insert(pair.read);
    for (const uint32_t read : {1U, 2U}) {
      INFO("round " << round << ", " << program.tensors[read].name << "\n" << disassemble(program));
      REQUIRE((free.count(read) != 0) == (orders.written_over.count(read) == 0));
      ++(free.count(read) != 0 ? in_place : not_in_place);
    }
  }
  CHECK(in_place > 50);
  CHECK(not_in_place > 50);
}

}  // namespace vantage::test::hw_program_in_place_test
