#include "hw/program/assembly.h"

#include <fmt/format.h>

#include "base/json.h"
#include "hw/isa/codec.h"
#include "tests/catch.h"
#include "tests/support/golden.h"
#include "tests/support/random_config.h"
#include "tests/support/random_program.h"

namespace vantage::test::hw_program_assembly_test {

using namespace vantage;

namespace {

const std::string kHead = ".config " + isa::Config::vta_default().to_json().dump() + "\n";

std::string error_of(const std::string& lines) {
  return ERROR_OF(assemble(kHead + lines, "p.s"));
}

constexpr std::string_view kText = R"(; every kind of line
.tensor A inp 64 input
.tensor C out 64 output      ; a comment
.uop dst=1 src=2 wgt=3
load.uop   sram=0 dram=uops+0 y=1 x=1 stride=1
load.inp   sram=4 dram=A+16 y=2 x=3 stride=8 pad=1,0,2,15 pop=next push=next
load.acc8  sram=0 dram=4096 y=1 x=1 stride=1
gemm.reset uop=0:1 out=16 in=1 dst=1,0 src=0,0 wgt=0,0
gemm       uop=0:1 out=1 in=2 dst=0,1 src=2,3 wgt=4,5 pop=prev push=prev,next
alu.shr    uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=-8
alu.mul    uop=0:1 out=1 in=1 dst=0,0 src=7,0
store.out  sram=0 dram=C+0 y=1 x=16 stride=16 pop=prev push=prev
store.uop  sram=0 dram=0 y=0 x=0 stride=0 push=prev
finish pop=prev,next
)";

}  // namespace

TEST_CASE("assembly has a stable text form", "[golden]") {
  const Program program = assemble(kHead + std::string(kText), "p.s");
  const std::string difference = test::compare_golden("assembly.s", disassemble(program));
  if (!difference.empty()) FAIL(difference);
  CHECK(assemble(disassemble(program), "again") == program);
}

TEST_CASE("every program round-trips through assembly", "[property]") {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const auto config = test::random_config(seed);
    Program program{config, test::with_tokens(test::random_program(config, seed, 40)), {}, {}, {}};
    const isa::Codec codec(config);
    for (uint32_t i = 0; i < 20; ++i) program.uops.push_back(codec.decode_uop(i * 2654435761u));
    program.tensors = {{"x.1", isa::Memory::kInp, 100, TensorRole::kInput},
                       {"_y", isa::Memory::kOut, 7, TensorRole::kOutput}};
    for (uint32_t i = 0; i < program.insns.size(); ++i) {
      if (isa::transfer(program.insns[i]) == nullptr || i % 3 == 0) continue;
      program.relocations.push_back({i, i % 3 == 1 ? Relocation::kMicroOps : i % 2});
    }
    CHECK(assemble(disassemble(program), "again") == program);
  }
}

TEST_CASE("a comment may follow a string that ends in a backslash", "[unit]") {
  // Read whole, and then refused for what it says
  for (const char* text : {"a\\", "b;c"}) {
    Json json = isa::Config::vta_default().to_json();
    json["HW_VER"] = text;
    CHECK_THAT(ERROR_OF(assemble(".config " + json.dump() + " ; comment\nfinish ; done", "p.s")),
               ContainsSubstring("HW_VER is " + Json(text).dump() + ", expected 0.0.1 or 0.0.2"));
  }
  const Json json = isa::Config::vta_default().to_json();
  const Program program = assemble(".config " + json.dump() + " ; comment\nfinish ; done", "p.s");
  CHECK(assemble(disassemble(program), "again") == program);
}

TEST_CASE("a wrong line is named with what would be right", "[unit]") {
  CHECK(error_of("lod.inp sram=0") == "p.s:2: unknown mnemonic 'lod.inp'; did you mean 'load.inp'?");
  CHECK(error_of("load.imp sram=0") == "p.s:2: '.imp' is no memory; expected .uop, .wgt, .inp, .acc, .out or .acc8");
  CHECK(error_of("load.inp sram=0 dram=0 y=1 x=1") == "p.s:2: stride= is missing");
  CHECK(error_of("load.inp sarm=0 dram=0 y=1 x=1 stride=1") == "p.s:2: unknown operand 'sarm'; did you mean 'sram'?");
  CHECK(error_of(".tensr A inp 4 input") == "p.s:2: unknown mnemonic '.tensr'; did you mean '.tensor'?");
  CHECK(error_of("finish push=up") == "p.s:2: push=up: expected prev, next or prev,next");
  CHECK(error_of("finish posh=next") == "p.s:2: unknown operand 'posh'; did you mean 'push'?");
  CHECK(error_of("finish push=next push=next") == "p.s:2: push is given twice");
  CHECK(error_of("\n\nfinish foo") == "p.s:4: 'foo': expected key=value");
  CHECK(error_of("load.inp sram=0 dram=B+0 y=1 x=1 stride=1") == "p.s:2: the program has no tensor 'B'");
  CHECK(error_of("load.inp sram=70000 dram=0 y=1 x=1 stride=1") ==
        "p.s:2: the field sram_base is 70000, which its 16 bits cannot hold (0 to 65535)");
  CHECK(error_of("load.inp sram=0 dram=0 y=1 x=one stride=1") == "p.s:2: x is 'one', expected an integer");
  CHECK(error_of("load.inp sram=0 dram=0 y=1 x=1 stride=1 pad=1,2") ==
        "p.s:2: pad=1,2: expected 4 numbers separated by ','");
  CHECK(error_of("alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=40000") ==
        "p.s:2: imm is 40000, expected -32768 to 32767");
  CHECK(error_of("alu.div uop=0:1 out=1 in=1 dst=0,0 src=0,0") ==
        "p.s:2: '.div' is no ALU operation; expected .min, .max, .add, .shr or .mul");
  CHECK(error_of(".tensor A inp 5") == "p.s:2: expected '.tensor NAME MEMORY ELEMENTS input|output'");
  CHECK(error_of(".tensor A inp 5 input\n.tensor A inp 5 input") == "p.s:3: two tensors are named 'A'");
  CHECK_THAT(error_of(".tensor uops inp 5 input"), ContainsSubstring("p.s:2: 'uops' cannot name a tensor"));
  CHECK(error_of(kHead) == "p.s:2: a second .config; a program has one");
  CHECK(ERROR_OF(assemble("finish", "p.s")) ==
        "p.s:1: 'finish' before .config; write '.config {...}' with VTA's keys first");
  CHECK_THAT(ERROR_OF(assemble("; nothing", "p.s")), ContainsSubstring("p.s: no .config line"));
}

}  // namespace vantage::test::hw_program_assembly_test
