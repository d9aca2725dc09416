#include "hw/isa/codec.h"

#include <fmt/format.h>

#include <random>

#include "tests/catch.h"
#include "tests/support/golden.h"
#include "tests/support/random_config.h"

namespace vantage::test::hw_isa_codec_test {

using namespace vantage;
using namespace vantage::isa;

namespace {

std::string layout_text(const isa::Config& config) {
  const Layout layout(config);
  std::string text;
  for (Format format : kAllFormats) {
    text += fmt::format("{}\n", name(format));
    for (const Field& f : layout.fields(format)) {
      text += fmt::format("  word {} bit {:>2} width {:>2}{} {}\n", f.word, f.lsb, f.width,
                          f.is_signed ? " signed" : "", f.name);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("the default layout is the one that VTA's own headers give", "[golden]") {
  const std::string difference = test::compare_golden("layout_default.txt", layout_text(isa::Config::vta_default()));
  if (!difference.empty()) FAIL(difference);
  SUCCEED();
}

TEST_CASE("instructions recorded from another VTA compiler decode to what it meant", "[unit]") {
  const Codec codec(isa::Config::vta_default());
  // GEMM reset of 16 x 1 elements, pushing to load.
  const Words reset = {uint64_t{2} | 1 << 5 | 1 << 7 | uint64_t{1} << 21 | uint64_t{16} << 35 | uint64_t{1} << 49, 1};
  const auto gemm = std::get<Gemm>(*codec.decode(reset).insn);
  CHECK(gemm.deps == Deps{false, false, true, false});
  CHECK(gemm.reset);
  CHECK(gemm.loop == Loop{0, 1, 16, 1, 1, 0, 0, 0});
  // FINISH with uninitialised bits, as published compilers leave them.
  CHECK(std::holds_alternative<Finish>(*codec.decode({0x203a2a2a74756f03, 0x3278202c31782860}).insn));
}

TEST_CASE("every legal field value survives encoding and decoding on any configuration", "[property]") {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const auto config = test::random_config(seed);
    const Codec codec(config);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 50; ++i) {
      const Words words = {random(), random()};
      const Decoded decoded = codec.decode(words);
      if (!decoded.insn) continue;
      const Words canonical = codec.encode(*decoded.insn);
      CHECK(codec.decode(canonical).insn == decoded.insn);
      CHECK(codec.encode(*codec.decode(canonical).insn) == canonical);
      const auto uop = codec.decode_uop(static_cast<uint32_t>(words[0]));
      CHECK(codec.decode_uop(codec.encode(uop)) == uop);
    }
  }
}

TEST_CASE("bits that are no instruction are refused with the offending number", "[unit]") {
  const Codec codec(isa::Config::vta_default());
  CHECK(codec.decode({5, 0}).error == "unknown opcode 5 (there are 0 to 4)");
  CHECK(codec.decode({6 << 7, 0}).error == "unknown memory type 6 (there are 0 to 5)");
  Alu alu;
  Words words = codec.encode(alu);
  set(words, codec.layout().field(Format::kAlu, FieldId::kAluOpcode), 7);
  CHECK(codec.decode(words).error == "unknown ALU opcode 7 (there are 0 to 4)");
}

TEST_CASE("a value that its field cannot hold is refused by name", "[unit]") {
  const Codec codec(isa::Config::vta_default());
  Gemm gemm;
  gemm.loop.iter_out = 1 << 14;
  CHECK(ERROR_OF(codec.encode(gemm)) == "the field iter_out is 16384, which its 14 bits cannot hold (0 to 16383)");
  Alu alu;
  alu.use_imm = true;
  alu.imm = -32769;
  CHECK(ERROR_OF(codec.encode(alu)) == "the field imm is -32769, which its 16 bits cannot hold (-32768 to 32767)");
  CHECK_THAT(ERROR_OF(codec.encode(MicroOp{2048, 0, 0})), ContainsSubstring("dst_idx is 2048"));
}

TEST_CASE("a field says the least and the largest value that it stands for", "[unit]") {
  const isa::Layout layout(isa::Config::vta_default());
  const isa::Field& imm = layout.field(isa::Format::kAlu, isa::FieldId::kImm);
  CHECK(imm.lowest() == -32768);
  CHECK(imm.highest() == 32767);
  const auto range = isa::fixed_range(isa::Format::kAlu, isa::FieldId::kImm);
  CHECK(range.lowest == imm.lowest());
  CHECK(range.highest == imm.highest());
  const auto pad = isa::fixed_range(isa::Format::kTransfer, isa::FieldId::kYPad0);
  CHECK(pad.lowest == 0);
  CHECK(pad.highest == 15);
  // An index is as wide as its scratchpad is deep.
  CHECK_THROWS_AS(isa::fixed_range(isa::Format::kGemm, isa::FieldId::kUopEnd), InternalError);
}

TEST_CASE("no field overlaps another and every one lies inside its word, on any configuration", "[property]") {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Layout layout(test::random_config(seed));
    for (Format format : kAllFormats) {
      Words used{};
      for (const Field& field : layout.fields(format)) {
        REQUIRE(field.word < 2);
        REQUIRE(field.lsb + field.width <= (format == Format::kMicroOp ? 32 : 64));
        CHECK(get(used, field) == 0);
        set(used, field, field.max());
      }
    }
  }
}

}  // namespace vantage::test::hw_isa_codec_test
