#include "compiler/backend/vta/finishing/insert_tokens.h"

#include "hw/isa/tokens.h"
#include "hw/program/assembly.h"
#include "tests/catch.h"
#include "tests/support/random_config.h"
#include "tests/support/random_program.h"

namespace vantage::test::vta_finishing_insert_tokens_test {

using namespace vantage;
using namespace vantage::vta;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

isa::Insn load(isa::Memory memory) {
  isa::Load insn;
  insn.transfer = {memory, 0, 0, 1, 1, 1, 0, 0, 0, 0};
  return insn;
}
isa::Insn store() {
  return isa::Store{{}, {isa::Memory::kOut, 0, 0, 1, 1, 1, 0, 0, 0, 0}};
}

Access inp(uint64_t begin, uint64_t end, bool write) {
  return {Access::Space::kInp, 0, begin, end, write};
}
Access acc(uint64_t begin, uint64_t end, bool write) {
  return {Access::Space::kAcc, 0, begin, end, write};
}
Access dram(uint64_t begin, uint64_t end, bool write) {
  return {Access::Space::kTensor, 0, begin, end, write};
}

OperationList with_tokens(std::vector<Operation> operations) {
  return insert_tokens({.config = kConfig, .operations = std::move(operations)});
}

std::string text(const OperationList& list) {
  std::string lines;
  for (const Operation& operation : list.operations) {
    const isa::Deps& d = isa::deps(operation.insn);
    lines += name(isa::stage(operation.insn));
    lines += d.pop_prev ? " pop.prev" : "";
    lines += d.pop_next ? " pop.next" : "";
    lines += d.push_prev ? " push.prev" : "";
    lines += d.push_next ? " push.next" : "";
    lines += '\n';
  }
  return lines;
}

}  // namespace

TEST_CASE("a consumer waits for its producer, and a producer for the consumers of what it overwrites", "[unit]") {
  std::vector<Operation> operations;
  operations.push_back({.insn = load(isa::Memory::kInp), .accesses = {inp(0, 4, true)}});
  operations.push_back({.insn = isa::Gemm{}, .accesses = {inp(0, 4, false), acc(0, 1, true)}});
  operations.push_back({.insn = load(isa::Memory::kInp), .accesses = {inp(3, 5, true)}});
  operations.push_back({.insn = store(), .accesses = {acc(0, 1, false)}});
  CHECK(text(with_tokens(operations)) ==
        "load push.next\n"
        "compute pop.prev push.prev push.next\n"
        "load pop.next push.next\n"
        "store pop.prev push.prev\n"
        "compute pop.prev pop.next\n");
}

TEST_CASE("disjoint regions need no tokens between them", "[unit]") {
  std::vector<Operation> operations;
  operations.push_back({.insn = load(isa::Memory::kInp), .accesses = {inp(0, 4, true)}});
  operations.push_back({.insn = isa::Gemm{}, .accesses = {inp(0, 4, false)}});
  operations.push_back(
      {.insn = load(isa::Memory::kInp), .accesses = {inp(4, 8, true)}});  // the other half: may run beside the GEMM
  CHECK(text(with_tokens(operations)) == "load push.next\ncompute pop.prev\nload push.next\ncompute pop.prev\n");
}

TEST_CASE("one token covers everything that retired before it", "[unit]") {
  std::vector<Operation> operations;
  operations.push_back({.insn = load(isa::Memory::kInp), .accesses = {inp(0, 1, true)}});
  operations.push_back({.insn = load(isa::Memory::kInp), .accesses = {inp(1, 2, true)}});
  operations.push_back({.insn = isa::Gemm{}, .accesses = {inp(0, 2, false)}});
  operations.push_back({.insn = isa::Gemm{}, .accesses = {inp(0, 1, false)}});  // known to have been loaded
  CHECK(text(with_tokens(operations)) == "load\nload push.next\ncompute pop.prev\ncompute\ncompute\n");
}

TEST_CASE("a load of what a store wrote goes through the compute stage", "[unit]") {
  std::vector<Operation> operations;
  operations.push_back({.insn = store(), .accesses = {acc(0, 1, false), dram(0, 16, true)}});
  operations.push_back({.insn = load(isa::Memory::kInp), .accesses = {inp(0, 1, true), dram(8, 24, false)}});
  const OperationList list = with_tokens(operations);
  CHECK(text(list) ==
        "store push.prev\n"
        "compute pop.next push.prev\n"
        "load pop.next push.next\n"
        "compute pop.prev\n");
  CHECK(isa::transfer(list.operations[1].insn)->moves_nothing());
}

TEST_CASE("inserted tokens never deadlock and none is left over", "[property]") {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const auto insns = test::with_tokens(test::random_program(test::random_config(seed), seed, 100));
    const auto report = isa::run_tokens(insns);
    CHECK_FALSE(report.deadlock);
    CHECK(report.leftover.leftover() == "");
  }
}

}  // namespace vantage::test::vta_finishing_insert_tokens_test
