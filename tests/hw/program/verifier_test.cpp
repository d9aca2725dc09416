#include "hw/program/verifier.h"

#include <random>

#include "base/json.h"
#include "base/stop.h"
#include "hw/isa/legality.h"
#include "hw/program/assembly.h"
#include "hw/program/largest_micro_op.h"
#include "tests/catch.h"
#include "tests/support/random_config.h"
#include "tests/support/random_program.h"

namespace vantage::test::hw_program_verifier_test {

using namespace vantage;

namespace {

// Diagnostics of a program for the default configuration, with tensors to refer to and one micro-op (1, 2, 3).
std::string diagnose(const std::string& lines) {
  const std::string head = ".config " + isa::Config::vta_default().to_json().dump() +
                           "\n.tensor A inp 64 input\n.tensor C out 64 output\n.uop dst=1 src=2 wgt=3\n";
  return to_text(verify(assemble(head + lines, "p.s"), {}));
}

const std::string kUop = "load.uop sram=0 dram=uops+0 y=1 x=1 stride=1\n";

}  // namespace

TEST_CASE("a sound program has no diagnostics", "[unit]") {
  CHECK(diagnose(kUop + "load.inp sram=0 dram=A+0 y=1 x=64 stride=64 push=next\n"
                        "gemm uop=0:1 out=2 in=2 dst=1,1 src=1,1 wgt=1,1 pop=prev push=next\n"
                        "store.out sram=0 dram=C+0 y=1 x=64 stride=64 pop=prev push=prev\nfinish pop=next") == "");
}

TEST_CASE("what reads or writes a tensor is named with it", "[unit]") {
  CHECK(diagnose("load.inp sram=2040 dram=A+3 y=1 x=16 stride=16\nfinish") ==
        "error: instruction 0: load.inp   sram=2040 dram=A+3 y=1 x=16 stride=16: it reaches index 2055 of the input "
        "scratchpad, whose last is 2047 (sram_base 2040 + 1 rows of 16 elements)\n");
  CHECK(diagnose("load.inp sram=0 dram=A+3 y=1 x=1 stride=1 pop=next\nfinish") ==
        "error: deadlock: the load stage waits at instruction 0 (load.inp   sram=0 dram=A+3 y=1 x=1 stride=1 pop=next) "
        "for a compute->load token; no stage that is still running pushes one\n");
  CHECK(diagnose("load.inp sram=0 dram=A+64 y=1 x=1 stride=1\nfinish") ==
        "error: instruction 0: load.inp   sram=0 dram=A+64 y=1 x=1 stride=1: it reaches byte 1040 of A, which has "
        "1024\n");
}

TEST_CASE("tensors that no memory has room for are an error", "[unit]") {
  CHECK(diagnose(".tensor B inp 268435456 input\nfinish") ==
        "error: its tensors and micro-ops take 4294969348 bytes, the memory has 4294967296; use smaller tensors\n");
  CHECK(diagnose(".tensor B wgt 4294967295 input\n.tensor D wgt 4294967295 input\nfinish").find("error: its tensors") ==
        0);
}

TEST_CASE("everything that isa.md refuses is found, with index, instruction, value and reason", "[unit]") {
  CHECK(diagnose(kUop + "gemm uop=0:1 out=1024 in=2 dst=2,1 src=0,0 wgt=0,0\nfinish") ==
        "error: instruction 1: gemm       uop=0:1 out=1024 in=2 dst=2,1 src=0,0 wgt=0,0: its destination index reaches "
        "2048, past the accumulator scratchpad's last index 2047 (micro-op 0: 1 + 1023*2 + 1*1)\n");
  CHECK_THAT(diagnose(kUop + "gemm uop=0:1 out=1 in=2047 dst=0,0 src=0,1 wgt=0,0\nfinish"),
             ContainsSubstring("its input index reaches 2048, past the input scratchpad's last index 2047"));
  CHECK_THAT(diagnose(kUop + "gemm uop=0:1 out=1 in=1022 dst=0,0 src=0,0 wgt=0,1\nfinish"),
             ContainsSubstring("its weight index reaches 1024, past the weight scratchpad's last index 1023"));
  CHECK_THAT(diagnose(kUop + "alu.add uop=0:1 out=1 in=2047 dst=0,0 src=0,1\nfinish"),
             ContainsSubstring("its source index reaches 2048, past the accumulator scratchpad's last index 2047"));
  CHECK_THAT(diagnose("gemm uop=2:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0\nfinish"),
             ContainsSubstring("uop_end 1 is less than uop_bgn 2"));
  CHECK_THAT(diagnose("gemm uop=0:8193 out=1 in=1 dst=0,0 src=0,0 wgt=0,0\nfinish"),
             ContainsSubstring("uop_end 8193 is past the micro-op scratchpad's depth 8192"));
  CHECK_THAT(diagnose("load.inp sram=2000 dram=0 y=2 x=20 stride=20 pad=0,0,4,1\nfinish"),
             ContainsSubstring("it reaches index 2049 of the input scratchpad, whose last is 2047 (sram_base 2000 + 2 "
                               "rows of 25 elements)"));
  CHECK_THAT(diagnose("load.wgt sram=0 dram=4294967295 y=1 x=1 stride=1\nfinish"),
             ContainsSubstring("its DRAM range ends at byte 0x10000000000, past the memory's end at 0x100000000"));
  CHECK_THAT(diagnose("load.out sram=0 dram=0 y=1 x=1 stride=1\nfinish"),
             ContainsSubstring("memory type out cannot be loaded"));
  CHECK_THAT(diagnose("store.acc sram=0 dram=0 y=1 x=1 stride=1\nfinish"),
             ContainsSubstring("memory type acc cannot be stored, only out"));
  CHECK_THAT(diagnose("store.out sram=0 dram=0 y=1 x=1 stride=1 pad=1,0,0,0\nfinish"),
             ContainsSubstring("a store has no pads, this one has 1,0,0,0"));
  CHECK_THAT(diagnose("load.uop sram=0 dram=0 y=2 x=1 stride=1\nfinish"),
             ContainsSubstring("a micro-op load is one unpadded row"));
  CHECK_THAT(diagnose("load.inp sram=0 dram=A+60 y=1 x=5 stride=5\nfinish"),
             ContainsSubstring("it reaches byte 1040 of A, which has 1024"));
  CHECK_THAT(diagnose(kUop), ContainsSubstring("error: the program has no FINISH"));
  CHECK_THAT(diagnose("finish pop=prev"),
             ContainsSubstring("error: deadlock: the compute stage waits at instruction 0"));
}

TEST_CASE("leftover tokens and unreachable instructions are warnings", "[unit]") {
  CHECK(diagnose("load.inp sram=0 dram=0 y=0 x=0 stride=0 push=next\nfinish") ==
        "warning: tokens are left over at FINISH: load->compute 1\n");
  CHECK(diagnose("finish\nfinish") == "warning: instruction 1 and all after it follow FINISH and are never fetched\n");
}

TEST_CASE("indices that an instruction does not use are not checked", "[unit]") {
  CHECK(diagnose(kUop + "gemm.reset uop=0:1 out=1 in=2047 dst=0,0 src=0,2047 wgt=0,1023\nfinish") == "");
  CHECK(diagnose(kUop + "alu.add uop=0:1 out=1 in=2047 dst=0,0 src=0,2047 imm=1\nfinish") == "");
  CHECK(diagnose(kUop + "gemm uop=0:1 out=0 in=9 dst=2047,2047 src=0,0 wgt=0,0\nfinish") == "");
  CHECK(diagnose("store.uop sram=9999 dram=4294967295 y=0 x=7 stride=1\nfinish") == "");
}

TEST_CASE("what is illegal whatever its micro-ops are is an error even where they are not known", "[unit]") {
  const std::string unknown =
      "store.out sram=0 dram=0 y=1 x=1 stride=1 push=prev\n"
      "load.uop sram=0 dram=0 y=1 x=1 stride=1 pop=next\n";
  CHECK_THAT(diagnose(unknown + "gemm uop=0:8193 out=1 in=1 dst=0,0 src=0,0 wgt=0,0\nfinish"),
             ContainsSubstring("error: instruction 2: gemm"));
  CHECK_THAT(diagnose(unknown + "gemm uop=0:1 out=16383 in=16383 dst=2047,2047 src=0,0 wgt=0,0\nfinish"),
             ContainsSubstring("error: instruction 2: gemm"));
  // A STORE that is never fetched writes nothing.
  CHECK_THAT(diagnose(kUop + "gemm uop=0:1 out=1024 in=3 dst=2,1 src=0,0 wgt=0,0\nfinish\n"
                             "store.out sram=0 dram=0 y=1 x=2000 stride=1"),
             ContainsSubstring("error: instruction 1: gemm"));
}

TEST_CASE("micro-ops loaded from an absolute address are not known to a program's verifier", "[unit]") {
  CHECK_THAT(diagnose("load.uop sram=0 dram=2000 y=1 x=1 stride=1\n"
                      "gemm uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0\nfinish"),
             ContainsSubstring("warning: instruction 1: gemm") && ContainsSubstring("only while it runs"));
}

TEST_CASE("micro-ops that the program itself writes are said to be checked later", "[unit]") {
  CHECK_THAT(diagnose("store.out sram=0 dram=0 y=1 x=1 stride=1 push=prev\n"
                      "load.uop sram=0 dram=0 y=1 x=1 stride=1 pop=next\n"
                      "gemm uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0\nfinish"),
             ContainsSubstring("warning: instruction 2: gemm") && ContainsSubstring("only while it runs"));
}

TEST_CASE("undecodable words are diagnosed one by one", "[unit]") {
  const auto config = isa::Config::vta_default();
  const std::vector<isa::Words> words = {{7, 0}, {6 << 7, 0}, {3, 0}};
  const auto read = [](uint64_t) { return isa::MicroOp{}; };
  CHECK(to_text(verify(words, config, read, {})) ==
        "error: instruction 0: 0x0000000000000007 0x0000000000000000: unknown opcode 7 (there are 0 to 4)\n"
        "error: instruction 1: 0x0000000000000300 0x0000000000000000: unknown memory type 6 (there are 0 to 5)\n");
}

TEST_CASE("a repeated mistake is reported a limited number of times", "[unit]") {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "load.out sram=0 dram=0 y=1 x=1 stride=1\n";
  const std::string text = diagnose(lines + "finish");
  CHECK(std::count(text.begin(), text.end(), '\n') == 20);
}

TEST_CASE("any number of warnings hides no error", "[unit]") {
  std::string lines = "load.uop sram=0 dram=2000 y=1 x=1 stride=1\n";
  for (int i = 0; i < 50; ++i) lines += "gemm uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0\n";
  const std::string text = diagnose(lines + "load.out sram=0 dram=0 y=1 x=1 stride=1\nfinish");
  CHECK_THAT(text, ContainsSubstring("error: instruction 51: load.out"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 21);
}

TEST_CASE("what is refused does not depend on how micro-ops are looked through", "[property]") {
  // Programs whose indices lie around the ends of the scratchpads, against a check of every single micro-op.
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const auto config = isa::Config::vta_default();
    const auto one_of = [&](std::initializer_list<uint32_t> values) {
      return values.begin()[random() % values.size()];
    };
    std::vector<isa::MicroOp> uops(8192);
    for (isa::MicroOp& uop : uops) uop = {one_of({0, 1, 2046, 2047}), one_of({0, 2047}), one_of({0, 1022, 1023})};
    isa::Gemm gemm;
    gemm.loop.uop_bgn = static_cast<uint32_t>(random() % 8192);
    gemm.loop.uop_end = gemm.loop.uop_bgn + static_cast<uint32_t>(random() % 4);
    gemm.loop.iter_out = one_of({0, 1, 2});
    gemm.loop.iter_in = one_of({0, 1, 2});
    gemm.loop.dst_factor_in = one_of({0, 1});
    gemm.wgt_factor_out = one_of({0, 1});
    const std::vector<isa::Insn> insns = {gemm, isa::Finish{}};
    VerifyOptions options;
    options.initial_uops = uops;
    const auto expected = isa::check(gemm, config, uops);
    const std::string got = to_text(verify(
        insns, config, [](uint64_t) { return std::nullopt; }, options));
    INFO("seed " << seed);
    if (expected) {
      CHECK_THAT(got, ContainsSubstring(*expected));
    } else {
      CHECK(got.empty());
    }
  }
}

TEST_CASE("verifying ends when it is told to stop", "[unit]") {
  const Program program = assemble(".config " + isa::Config::vta_default().to_json().dump() + "\nfinish", "p.s");
  std::stop_source stop;
  VerifyOptions options;
  options.stop = stop.get_token();
  CHECK(verify(program, options).empty());
  stop.request_stop();
  CHECK_THROWS_AS(verify(program, options), Stopped);
  // Also within one instruction, which may load all of the scratchpad.
  std::stop_source later;
  options.stop = later.get_token();
  const auto read = [&, left = 10](uint64_t) mutable -> std::optional<isa::MicroOp> {
    if (--left == 0) later.request_stop();
    REQUIRE(left >= 0);
    return isa::MicroOp{};
  };
  isa::Load load;
  load.transfer = {.memory = isa::Memory::kUop, .y_size = 1, .x_size = 8192, .x_stride = 8192};
  const std::vector<isa::Insn> insns = {load, isa::Finish{}};
  CHECK_THROWS_AS(verify(insns, program.config, read, options), Stopped);
}

TEST_CASE("the largest indices of a range are those of its micro-ops", "[property]") {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    std::mt19937_64 random(seed);
    const size_t size = 1 + random() % 40;
    std::vector<std::optional<isa::MicroOp>> expected(size, isa::MicroOp{});
    MicroOpMaxima maxima({}, size);
    for (int step = 0; step < 20; ++step) {
      const size_t begin = random() % size, count = random() % (size - begin + 1);
      maxima.load(begin, count, [&](size_t i) {
        const auto field = [&] { return static_cast<uint32_t>(random() % 9); };
        expected[begin + i] = random() % 8 == 0 ? std::nullopt : std::optional(isa::MicroOp{field(), field(), field()});
        return expected[begin + i];
      });
      const size_t first = random() % size, last = first + 1 + random() % (size - first);
      LargestMicroOp largest;
      for (size_t i = first; i < last; ++i) {
        const isa::MicroOp uop = expected[i].value_or(isa::MicroOp{});
        largest.fields = {std::max(largest.fields.dst, uop.dst), std::max(largest.fields.src, uop.src),
                          std::max(largest.fields.wgt, uop.wgt)};
        largest.any_unknown |= !expected[i].has_value();
      }
      const LargestMicroOp got = maxima.largest(first, last);
      REQUIRE(got.fields == largest.fields);
      REQUIRE(got.any_unknown == largest.any_unknown);
    }
  }
}

TEST_CASE("generated legal programs pass the verifier", "[property]") {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const auto program = test::random_program(test::random_config(seed), seed, 50);
    const isa::Codec codec(program.config);
    const auto read = [&](uint64_t element) {
      const auto bytes = std::span<const std::byte>(program.data).subspan(element * 4);
      return codec.decode_uop(isa::load_u32(bytes.first<4>()));
    };
    VerifyOptions options;
    options.dram_size = Bytes(test::RandomProgram::kDramBytes);
    CHECK(to_text(verify(test::with_tokens(program), program.config, read, options)) == "");
  }
}

}  // namespace vantage::test::hw_program_verifier_test
