#include "compiler/backend/vta/program_builder.h"

#include "base/json.h"
#include "driver/open/open.h"
#include "hw/isa/disassemble.h"
#include "hw/program/assembly.h"
#include "hw/program/verifier.h"
#include "tests/catch.h"

namespace vantage::test::backend_vta_program_builder_test {

using namespace vantage;
using namespace vantage::vta;
using isa::AluOp;
using isa::Memory;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

isa::Config with(const std::string& key, int value) {
  Json json = kConfig.to_json();
  json[key] = value;
  return isa::Config::from_json(json, "test");
}

std::vector<std::string> mnemonics(const Program& program) {
  std::vector<std::string> list;
  for (const auto& insn : program.insns) {
    const std::string line = disassemble(insn);
    list.push_back(line.substr(0, line.find(' ')));
  }
  return list;
}

}  // namespace

TEST_CASE("kernels are loaded once and kept, and each operation has its own", "[unit]") {
  ProgramBuilder b(kConfig);
  const KernelNest nest{0, 0, 0, {{4, 1, 1, 0}}};
  for (int i = 0; i < 3; ++i) {
    b.reset(nest);
    b.alu(AluOp::kAdd, nest, 5);
    b.alu(AluOp::kAdd, nest, 6);
  }
  const Program program = b.finish();
  CHECK(program.uops.size() == 2);  // the immediate is no part of a kernel
  const auto list = mnemonics(program);
  CHECK(std::count(list.begin(), list.end(), "load.uop") == 1);  // all at once: they fit beside each other
  CHECK(to_text(verify(program, {})) == "");
}

TEST_CASE("kernels that no longer fit the micro-op scratchpad are evicted and loaded again", "[unit]") {
  ProgramBuilder b(with("LOG_UOP_BUFF_SIZE", 4));  // four micro-ops
  const auto three = [](uint32_t first) {
    return KernelNest{first, 0, 0, {{4, 100, 0, 0}, {4, 20, 0, 0}, {3, 1, 0, 0}}};
  };
  b.alu(AluOp::kMax, three(0), 1);
  b.alu(AluOp::kMax, three(0), 2);
  b.alu(AluOp::kMax, three(5), 3);
  b.alu(AluOp::kMax, three(0), 4);
  const Program program = b.finish();
  CHECK(mnemonics(program) == std::vector<std::string>{"load.uop", "alu.max", "alu.max", "load.uop", "alu.max",
                                                       "load.uop", "alu.max", "finish"});
  CHECK(to_text(verify(program, {})) == "");
}

TEST_CASE("a nest with more micro-ops than the scratchpad holds becomes several instructions", "[unit]") {
  ProgramBuilder b(with("LOG_UOP_BUFF_SIZE", 4));
  b.alu(AluOp::kAdd, {0, 512, 0, {{2, 100, 100, 0}, {2, 50, 50, 0}, {3, 10, 10, 0}, {3, 3, 3, 0}}});
  const Program program = b.finish();
  CHECK(to_text(verify(program, {})) == "");
  uint64_t steps = 0;
  for (const auto& insn : program.insns) {
    if (const auto* alu = std::get_if<isa::Alu>(&insn)) steps += alu->loop.steps();
  }
  CHECK(steps == 36);
}

TEST_CASE("virtual threads take turns and have scratchpads of their own", "[unit]") {
  ProgramBuilder b(kConfig);
  const TensorId a = b.tensor("A", Memory::kInp, 100, TensorRole::kInput);
  std::vector<uint32_t> begins;
  b.virtual_threads(2, [&](int thread) {
    const Region region = b.allocate(Memory::kInp, 8, "A");
    begins.push_back(region.begin);
    for (uint64_t i = 0; i < 2; ++i) {
      b.load(region.begin, a, {static_cast<uint64_t>(thread) * 50 + i, 1, 1, 1});
      b.gemm({static_cast<uint32_t>(thread), region.begin, 0, {}});
      b.yield();
    }
  });
  CHECK(begins == std::vector<uint32_t>{0, 1024});
  CHECK(b.available(Memory::kInp) == 2048);  // free again
  const Program program = b.finish();
  std::vector<uint32_t> order;
  for (const auto& insn : program.insns) {
    const auto* t = isa::transfer(insn);
    if (t != nullptr && t->memory == Memory::kInp) order.push_back(t->dram_base);
  }
  CHECK(order == std::vector<uint32_t>{0, 50, 1, 51});
  CHECK(to_text(verify(program, {})) == "");
}

TEST_CASE("what does not fit a scratchpad is refused by name, size and remedy", "[unit]") {
  ProgramBuilder b(kConfig);
  b.allocate(Memory::kWgt, 1000, "B");
  CHECK(ERROR_OF(b.allocate(Memory::kWgt, 25, "C")) ==
        "C needs 25 elements of the wgt scratchpad, which has 24 left of 1024; use smaller blocks or fewer virtual "
        "threads");
}

TEST_CASE("a transfer past its tensor is refused, one with far rows is cut", "[unit]") {
  ProgramBuilder b(kConfig);
  const TensorId a = b.tensor("A", Memory::kInp, 200000, TensorRole::kInput);
  CHECK(ERROR_OF(b.load(0, a, {199990, 2, 5, 6})) == "a load reaches element 200000 of tensor A, which has 200000");
  b.load(0, a, {0, 3, 2, 70000});
  b.gemm({0, 0, 0, {{6, 0, 1, 0}}});
  const Program program = b.finish();
  CHECK(mnemonics(program) ==
        std::vector<std::string>{"load.uop", "load.inp", "load.inp", "load.inp", "gemm", "finish"});
  CHECK(isa::transfer(program.insns[3])->dram_base == 140000);
  CHECK(isa::transfer(program.insns[3])->sram_base == 4);
  ProgramBuilder padded(kConfig);
  const TensorId p = padded.tensor("A", Memory::kInp, 200000, TensorRole::kInput);
  CHECK_THAT(ERROR_OF(padded.load(0, p, {0, 3, 2, 70000}, {1, 0, 0, 0})), ContainsSubstring("a DMA can step at most"));
}

TEST_CASE("a chain of layers through DRAM in one program gives its result in every order of stages", "[unit]") {
  // h = 2x is stored and loaded again as an input, y = 2h: the weights are twice the identity.
  ProgramBuilder b(kConfig);
  const TensorId x = b.tensor("x", Memory::kInp, 4, TensorRole::kInput);
  const TensorId w = b.tensor("w", Memory::kWgt, 1, TensorRole::kInput);
  const TensorId h = b.tensor("h", Memory::kOut, 4, TensorRole::kOutput);
  const TensorId y = b.tensor("y", Memory::kOut, 4, TensorRole::kOutput);
  const KernelNest nest{0, 0, 0, {{4, 1, 1, 0}}};
  b.load(0, w, {0, 1, 1, 1});
  b.load(0, x, {0, 1, 4, 4});
  b.reset(nest);
  b.gemm(nest);
  b.store(h, {0, 1, 4, 4}, 0);
  b.load_as(Memory::kInp, 0, h, {0, 1, 4, 4});
  b.reset(nest);
  b.gemm(nest);
  b.store(y, {0, 1, 4, 4}, 0);
  const Program program = b.finish();
  REQUIRE(to_text(verify(program, {})) == "");

  std::vector<std::byte> x_bytes(64);
  for (size_t i = 0; i < x_bytes.size(); ++i) x_bytes[i] = static_cast<std::byte>(i % 31);
  std::vector<std::byte> w_bytes(256);
  for (size_t i = 0; i < 16; ++i) w_bytes[17 * i] = std::byte{2};
  for (uint64_t seed = 0; seed < 32; ++seed) {
    const auto device = driver::open_accelerator("fsim:", kConfig);
    auto x_buffer = device->allocate(Bytes(64));
    auto w_buffer = device->allocate(Bytes(256));
    auto h_buffer = device->allocate(Bytes(64));
    auto y_buffer = device->allocate(Bytes(64));
    x_buffer.write(x_bytes);
    w_buffer.write(w_bytes);
    const auto loaded = device->load(program, {{"x", &x_buffer}, {"w", &w_buffer}, {"h", &h_buffer}, {"y", &y_buffer}});
    driver::RunOptions options;
    options.interleaving_seed = seed;
    REQUIRE(loaded->run(options).ok());
    std::vector<std::byte> got(64);
    y_buffer.read(got);
    for (size_t i = 0; i < got.size(); ++i) REQUIRE(static_cast<int>(got[i]) == 4 * static_cast<int>(i % 31));
  }
}

TEST_CASE("virtual threads that share an element which one of them writes are refused", "[unit]") {
  const KernelNest nest{7, 0, 0, {}};
  ProgramBuilder shared(kConfig);
  CHECK(ERROR_OF(shared.virtual_threads(2, [&](int) { shared.reset(nest); })) ==
        "virtual threads share element 7 of the ACC scratchpad, and one of them writes it; compute what they share "
        "outside of them");
  // Reading is no conflict, and neither is what the same thread wrote.
  ProgramBuilder apart(kConfig);
  apart.reset({0, 0, 0, {}});
  CHECK_NOTHROW(apart.virtual_threads(2, [&](int thread) {
    const auto own = static_cast<uint32_t>(100 + thread);
    apart.reset({own, 0, 0, {}});
    apart.alu(AluOp::kAdd, {own, 0, 0, {}});
  }));
  CHECK(to_text(verify(apart.finish(), {})) == "");
}

TEST_CASE("loads of what is never read are dropped", "[unit]") {
  ProgramBuilder b(kConfig);
  const TensorId a = b.tensor("A", Memory::kAcc, 8, TensorRole::kInput),
                 c = b.tensor("C", Memory::kOut, 8, TensorRole::kOutput);
  b.load(0, a, {0, 1, 4, 4});  // overwritten by the next one
  b.load(0, a, {4, 1, 4, 4});
  b.load(20, a, {0, 1, 4, 4});  // used by nobody
  b.store(c, {0, 1, 4, 4}, 0);
  const Program program = b.finish();
  CHECK(mnemonics(program) == std::vector<std::string>{"load.acc", "store.out", "finish"});
  CHECK_THAT(disassemble(program), ContainsSubstring("dram=A+4"));
}

TEST_CASE("an immediate that its field cannot hold is refused", "[unit]") {
  ProgramBuilder b(kConfig);
  b.alu(AluOp::kAdd, {0, 0, 0, {}}, 40000);
  CHECK_THAT(ERROR_OF(b.finish()), ContainsSubstring("the field imm is 40000, which its 16 bits cannot hold"));
}

TEST_CASE("rows as many as a transfer's field counts stay one transfer, one more is cut", "[unit]") {
  const uint64_t most = isa::Layout(kConfig).field(isa::Format::kTransfer, isa::FieldId::kYSize).max();
  for (const uint64_t rows : {most, most + 1}) {
    ProgramBuilder b(kConfig);
    const TensorId c = b.tensor("C", Memory::kOut, 2 * rows, TensorRole::kOutput);
    b.store(c, {0, rows, 1, 2}, 0);
    CHECK(b.operations().operations.size() == (rows == most ? 1 : rows));
  }
}

TEST_CASE("columns as many as a transfer's field counts stay one transfer, one more is cut", "[unit]") {
  // The deepest input scratchpad that a LOAD can name, one element more than a row can have.
  Json json = kConfig.to_json();
  json["LOG_INP_BUFF_SIZE"] = 20;
  json["LOG_WGT_BUFF_SIZE"] = 13;
  const auto config = isa::Config::from_json(json, "test");
  const uint64_t most = isa::Layout(config).field(isa::Format::kTransfer, isa::FieldId::kXSize).max();
  REQUIRE(config.depth(Memory::kInp).count() == most + 1);
  for (const uint64_t columns : {most, most + 1}) {
    ProgramBuilder b(config);
    const TensorId a = b.tensor("A", Memory::kInp, columns + 3, TensorRole::kInput);
    b.load(0, a, {3, 1, columns, columns});
    b.gemm({0, 0, 0, {{256, 0, 256, 0}, {256, 0, 1, 0}}});
    const Program program = b.finish();
    CHECK(to_text(verify(program, {})) == "");
    uint64_t next = 0;
    size_t loads = 0;
    for (const auto& insn : program.insns) {
      const auto* t = isa::transfer(insn);
      if (t == nullptr || t->memory != Memory::kInp) continue;
      ++loads;
      CHECK(t->sram_base == next);
      CHECK(t->dram_base == next + 3);
      next += t->x_size * t->y_size;
    }
    CHECK(next == columns);
    CHECK(loads == (columns == most ? 1 : 2));
  }
}

TEST_CASE("a row that is cut keeps the zeros at its ends, and cannot have rows of them", "[unit]") {
  const uint64_t most = isa::Layout(kConfig).field(isa::Format::kTransfer, isa::FieldId::kXSize).max();
  const uint64_t columns = most + 10;
  ProgramBuilder b(kConfig);
  const TensorId a = b.tensor("A", Memory::kInp, 2 * columns, TensorRole::kInput);
  b.load(0, a, {0, 2, columns, columns}, {.left = 2, .right = 3});
  std::vector<isa::Transfer> parts;
  for (const auto& operation : b.operations().operations) parts.push_back(*isa::transfer(operation.insn));
  REQUIRE(parts.size() == 4);
  for (size_t row = 0; row < 2; ++row) {
    const isa::Transfer &first = parts[2 * row], &second = parts[2 * row + 1];
    const uint64_t begin = row * (2 + columns + 3);
    CHECK(first.sram_base == begin);
    CHECK(first.dram_base == row * columns);
    CHECK(first.x_size == most);
    CHECK(first.x_pad_0 == 2);
    CHECK(first.x_pad_1 == 0);
    CHECK(second.sram_base == begin + 2 + most);
    CHECK(second.dram_base == row * columns + most);
    CHECK(second.x_size == 10);
    CHECK(second.x_pad_0 == 0);
    CHECK(second.x_pad_1 == 3);
  }
  ProgramBuilder padded(kConfig);
  const TensorId p = padded.tensor("A", Memory::kInp, columns, TensorRole::kInput);
  CHECK(ERROR_OF(padded.load(0, p, {0, 1, columns, columns}, {.top = 1})) ==
        "a padded tile of A has rows of 65545 elements, a DMA moves at most 65535");
}

}  // namespace vantage::test::backend_vta_program_builder_test
