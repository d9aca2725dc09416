#include "hw/program/program.h"

#include <fmt/format.h>

#include "base/stop.h"
#include "tests/catch.h"
#include "tests/support/damage.h"
#include "tests/support/random_config.h"
#include "tests/support/random_program.h"

namespace vantage::test::hw_program_program_file_test {

using namespace vantage;

namespace {

Program example(uint64_t seed) {
  const auto config = test::random_config(seed);
  Program program{config, test::with_tokens(test::random_program(config, seed, 30)), {{0, 0, 0}}, {}, {}};
  program.tensors = {{"A", isa::Memory::kInp, 100, TensorRole::kInput}};
  for (uint32_t i = 0; i < program.insns.size(); ++i) {
    if (isa::transfer(program.insns[i]) != nullptr)
      program.relocations.push_back({i, i % 2 ? 0 : Relocation::kMicroOps});
  }
  return program;
}

}  // namespace

TEST_CASE("every program round-trips through its file", "[property]") {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = example(seed);
    CHECK(parse_program(serialize(program), "f") == program);
  }
}

TEST_CASE("a truncated, lengthened or damaged file is refused and says so", "[unit]") {
  const std::string file = serialize(example(3));
  for (size_t size = 0; size < file.size(); ++size) {
    const std::string message = ERROR_OF(parse_program(file.substr(0, size), "f"));
    CHECK_THAT(message, ContainsSubstring(size < 8 ? "not a program file" : "f: "));
    if (size >= 8) CHECK_THAT(message, ContainsSubstring("truncated") || ContainsSubstring("not valid JSON"));
  }
  CHECK_THAT(ERROR_OF(parse_program(file + "x", "f")), ContainsSubstring("f: trailing bytes"));
  for (size_t at = file.size() - 100; at < file.size(); ++at) {
    std::string damaged = file;
    damaged[at] ^= 0x10;
    CHECK_THAT(ERROR_OF(parse_program(damaged, "f")), ContainsSubstring("f: damaged: the checksum is"));
  }
}

TEST_CASE("bits that are no instruction are told apart from a file that is damaged", "[unit]") {
  Program program = example(3);
  program.uops.clear();
  program.insns.back() = isa::Finish{};
  std::string file = serialize(program);
  file[file.size() - isa::kInsnBytes] |= 7;
  try {
    parse_program(with_checksum(file), "f");
    FAIL("it was taken");
  } catch (const NoInstruction& e) {
    CHECK(e.insn() == program.insns.size() - 1);
    CHECK(e.what() == fmt::format("f: instruction {}: unknown opcode 7 (there are 0 to 4)", e.insn()));
  }
}

TEST_CASE("the tables of a header may come in any order", "[unit]") {
  Program program = example(3);
  program.tensors.push_back({"B", isa::Memory::kOut, 7, TensorRole::kOutput});
  const std::string file = serialize(program);
  const size_t tensors = file.find("\"tensors\":"), relocations = file.find("\"relocations\":"),
               end = file.find("]}", relocations);
  REQUIRE(end != std::string::npos);
  // Both tables, the other one first, in the same number of bytes.
  std::string turned = file;
  turned.replace(
      tensors, end + 1 - tensors,
      file.substr(relocations, end + 1 - relocations) + "," + file.substr(tensors, relocations - 1 - tensors));
  CHECK(parse_program(with_checksum(turned), "f") == program);
}

TEST_CASE("a relocation to a tensor that is not there is named", "[unit]") {
  std::string file = serialize(example(3));
  const size_t at = file.rfind("\"symbol\":\"A\"");
  REQUIRE(at != std::string::npos);
  file[at + 10] = 'Z';
  CHECK_THAT(
      ERROR_OF(parse_program(with_checksum(file), "f")),
      ContainsSubstring("f: relocations[") && ContainsSubstring("]: symbol is \"Z\", expected the name of a tensor"));
}

TEST_CASE("another format is said before what its tables have", "[unit]") {
  std::string file = serialize(example(3));
  file.replace(file.find("vta-program/1"), 13, "vta-program/2");
  file.replace(file.find("\"elements\""), 10, "\"size__by\"");
  CHECK(ERROR_OF(parse_program(with_checksum(file), "f")) ==
        "f: format \"vta-program/2\" is not known here, expected \"vta-program/1\"");
}

TEST_CASE("parsing a program ends when it is told to stop", "[unit]") {
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(parse_program(serialize(example(3)), "f", stop.get_token()), Stopped);
}

TEST_CASE("misspelt keys in a program file's tables are refused", "[unit]") {
  const auto with = [](const std::string& from, const std::string& to) {
    REQUIRE(from.size() == to.size());
    std::string file = serialize(example(3));
    for (size_t at = file.find(from); at != std::string::npos; at = file.find(from)) file.replace(at, from.size(), to);
    return ERROR_OF(parse_program(with_checksum(file), "f"));
  };
  CHECK(with("\"elements\"", "\"element_\"") == "f: tensors[0]: unknown key \"element_\"; did you mean 'elements'?");
  CHECK(with("\"symbol\"", "\"symbal\"") == "f: relocations[0]: unknown key \"symbal\"; did you mean 'symbol'?");
}

TEST_CASE("tables that contradict each other are refused", "[unit]") {
  const Program good = example(4);
  Program bad = good;
  bad.tensors.push_back(bad.tensors.front());
  CHECK(ERROR_OF(serialize(bad)) == "program: two tensors are named 'A'");
  bad = good;
  bad.relocations.push_back({static_cast<uint32_t>(bad.insns.size()), 0});
  CHECK_THAT(ERROR_OF(serialize(bad)), ContainsSubstring("a relocation names instruction"));
  bad = good;
  bad.relocations = {{static_cast<uint32_t>(bad.insns.size() - 1), 0}};  // FINISH
  CHECK_THAT(ERROR_OF(serialize(bad)), ContainsSubstring("which is neither LOAD nor STORE"));
  bad = good;
  REQUIRE(bad.relocations.size() > 1);
  std::swap(bad.relocations[0], bad.relocations[1]);
  CHECK_THAT(ERROR_OF(serialize(bad)), ContainsSubstring("in ascending order"));
  bad = good;
  bad.relocations[0].symbol = 1;
  CHECK_THAT(ERROR_OF(serialize(bad)), ContainsSubstring("a relocation names tensor 1, but there are 1"));
  bad = good;
  bad.tensors[0].name = "9";
  CHECK_THAT(ERROR_OF(serialize(bad)), ContainsSubstring("'9' cannot name a tensor"));
}

TEST_CASE("a tensor is found by name, or the known ones are listed", "[unit]") {
  const Program program = example(5);
  CHECK(program.tensor_index("A") == 0);
  CHECK(ERROR_OF(program.tensor_index("B")) == "the program has no tensor 'B'; known: A");
}

}  // namespace vantage::test::hw_program_program_file_test
