#include "hw/program/recover.h"

#include "base/file.h"
#include "base/json.h"
#include "hw/isa/codec.h"
#include "hw/program/assembly.h"
#include "hw/program/link.h"
#include "tests/catch.h"
#include "tests/support/effort.h"
#include "tests/support/random_config.h"
#include "tests/support/random_program.h"
#include "tests/support/temporary.h"

namespace vantage::test::hw_program_recover_test {

using namespace vantage;

namespace {

// As recorders write it: linked, with the symbols or without them.
Bundle bundle_of(const Program& program, bool with_symbols) {
  const Placement placement = place_sequentially(program, Bytes(4096));
  const isa::Codec codec(program.config);
  Bundle bundle{"b", program.config, Bytes(1 << 20), program.insns.size(), {}, {}, {}};
  MemorySegment insns{bundle.insn_address, {}};
  for (const isa::Insn& insn : link(program, placement)) {
    std::array<std::byte, isa::kInsnBytes> bytes;
    isa::store_words(codec.encode(insn), bytes);
    insns.bytes += as_text(bytes);
  }
  MemorySegment uops{placement.uops, {}};
  for (const isa::MicroOp& uop : program.uops) {
    std::array<std::byte, isa::kMicroOpBytes> bytes;
    isa::store_u32(codec.encode(uop), bytes);
    uops.bytes += as_text(bytes);
  }
  bundle.memory = {insns, uops};
  if (!with_symbols) return bundle;
  for (uint32_t i = 0; i < program.tensors.size(); ++i) {
    bundle.symbols.push_back({program.tensors[i].name, placement.tensors[i], program.symbol_size(i),
                              program.tensors[i].role == TensorRole::kOutput});
  }
  bundle.symbols.push_back({"uops", placement.uops, program.symbol_size(Relocation::kMicroOps), false});
  return bundle;
}

Program example() {
  const std::string keys = isa::Config::vta_default().to_json().dump();
  return assemble(".config " + keys + R"(
.tensor W wgt 4 input
.tensor A inp 64 input
.tensor C out 8 output
.uop dst=1 src=2 wgt=3
.uop dst=0 src=0 wgt=0
load.uop sram=0 dram=uops+0 y=1 x=2 stride=2
load.wgt sram=0 dram=W+1 y=1 x=3 stride=3
load.inp sram=0 dram=A+16 y=2 x=3 stride=8 pad=1,0,2,15 pop=next push=next
store.out sram=0 dram=C+2 y=1 x=2 stride=2
store.uop sram=0 dram=0 y=0 x=0 stride=0 push=prev
finish
)",
                  "example");
}

}  // namespace

TEST_CASE("with its symbols a bundle gives back the program, names and order included", "[unit]") {
  const Program program = example();
  const Bundle bundle = bundle_of(program, true);
  const RecoveredProgram recovered = recover_program(bundle);
  CHECK(recovered.program == program);
  CHECK(recovered.tensors == std::vector<Bytes>{Bytes(4096), Bytes(4096 + 1024), Bytes(4096 + 2048)});
  CHECK(assemble(disassemble(recovered.program), "text") == program);
}

TEST_CASE("without symbols tensors are what instructions reach, by their memory", "[unit]") {
  const Program program = recover_program(bundle_of(example(), false)).program;
  CHECK(program.uops == example().uops);
  REQUIRE(program.tensors.size() == 3);
  CHECK(program.tensors[0] == ProgramTensor{"wgt0", isa::Memory::kWgt, 3, TensorRole::kInput});
  CHECK(program.tensors[1] == ProgramTensor{"inp0", isa::Memory::kInp, 11, TensorRole::kInput});
  CHECK(program.tensors[2] == ProgramTensor{"out0", isa::Memory::kOut, 2, TensorRole::kOutput});
  CHECK(program.relocations.size() == 4);
}

TEST_CASE("symbols that no program may have are refused", "[unit]") {
  Bundle bundle = bundle_of(example(), true);
  bundle.symbols[0].name = "no name";
  CHECK_THAT(ERROR_OF(recover_program(bundle)), ContainsSubstring("b: 'no name' cannot name a tensor"));
}

TEST_CASE("whatever a bundle's program is, it assembles again, and linked it is the bundle's", "[property]") {
  for (uint64_t seed = 0; seed < test::seeds(40); ++seed) {
    const test::RandomProgram random = test::random_program(test::random_config(seed), seed, 30);
    const Bundle bundle = test::bundle_of(random, "random", std::vector<std::byte>(test::RandomProgram::kInsnAddress));
    const RecoveredProgram recovered = recover_program(bundle);
    INFO("seed " << seed);
    CHECK(assemble(disassemble(recovered.program), "text") == recovered.program);
    CHECK(parse_program(serialize(recovered.program), "file") == recovered.program);
    // Micro-ops of several places lie beside each other now, so instructions that load them are left out.
    const isa::Codec codec(bundle.config);
    const auto linked = link(recovered.program, {Bytes(0), recovered.tensors});
    const auto words = bundle.insns();
    REQUIRE(linked.size() == words.size());
    for (size_t i = 0; i < linked.size(); ++i) {
      const isa::Transfer* t = isa::transfer(linked[i]);
      if (t == nullptr || t->memory != isa::Memory::kUop) CHECK(linked[i] == *codec.decode(words[i]).insn);
    }
  }
}

TEST_CASE("recorded bundles give programs that assemble again", "[property]") {
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "tests/data/bundles")) {
    const Bundle bundle = load_bundle(entry.path());
    const RecoveredProgram recovered = recover_program(bundle);
    INFO(bundle.name);
    CHECK_FALSE(recovered.program.uops.empty());
    CHECK(recovered.program.tensors.size() >= 3);
    CHECK(assemble(disassemble(recovered.program), "text") == recovered.program);
  }
}

}  // namespace vantage::test::hw_program_recover_test
