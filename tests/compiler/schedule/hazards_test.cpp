// What stands around and between blocks in functions written by hand: conditions, statements in no block, writes to
// what is read, values defined outside. A step keeps to them or is refused.
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/check_same.h"

namespace vantage::test::compiler_schedule_hazards_test {

using namespace vantage;
using schedule::Schedule;

namespace {

// A function of A, D, E and Q whose body is made of nests.
ir::PrimFunc function(const std::string& body) {
  return ir::parse_function(
      "@T.prim_func\n"
      "def f(A: T.Buffer((6,), \"int32\"), D: T.Buffer((6,), \"int32\"), E: T.Buffer((6,), \"int32\"),"
      " Q: T.Buffer((6, 6), \"int32\")):\n" +
          body,
      "text");
}

// A loop over i and one over k, or one of them, around a block on axes x and y.
std::string nest(const std::string& name, const std::string& x, const std::string& y, const std::string& body,
                 int depth = 1, const std::string& range_y = "6") {
  std::string text;
  const auto line = [&](const std::string& s) { text += std::string(static_cast<size_t>(4 * depth), ' ') + s + "\n"; };
  line("for i" + name + " in range(6):");
  ++depth;
  if (!y.empty()) {
    line("for k" + name + " in range(" + range_y + "):");
    ++depth;
  }
  line("with T.block(\"" + name + "\"):");
  ++depth;
  line("x" + name + " = T.axis." + x + "(6, i" + name + ")");
  if (!y.empty()) line("y" + name + " = T.axis." + y + "(6, k" + name + ")");
  std::string rest = body;
  if (rest.rfind("T.where", 0) == 0) {
    line(rest.substr(0, rest.find('\n')));
    rest = rest.substr(rest.find('\n') + 1);
  }
  line("T.reads()");
  line("T.writes()");
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    line(rest.substr(0, end));
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
  return text;
}
std::string nest(const std::string& name, const std::string& body, int depth = 1) {
  return nest(name, "spatial", "", body, depth);
}

const std::string kB = "    B = T.alloc_buffer((6,), \"int32\")\n";
const std::string kMakesB = kB + nest("B", "B[xB] = A[xB] + 1");
const std::string kReadsB = nest("D", "D[xD] = B[xD] * A[xD]");

// Whether the step leaves what the function computes.
void keeps(const std::string& body, const std::function<void(Schedule&)>& step) {
  const ir::PrimFunc original = function(body);
  Schedule s(original);
  step(s);
  check_same(original, s.function());
}

// Refused for a reason that has these words, the function as it was.
void refuses(const std::string& body, const std::function<void(Schedule&)>& step, const std::string& why) {
  Schedule s(function(body));
  const std::string before = ir::to_text(s.function());
  INFO(before);
  CHECK_THAT(ERROR_OF(step(s)), ContainsSubstring(why));
  CHECK(ir::to_text(s.function()) == before);
}

std::function<void(Schedule&)> inlined(const std::string& block) {
  return [=](Schedule& s) { s.compute_inline(s.get_block(block)); };
}
std::function<void(Schedule&)> reverse_inlined(const std::string& block) {
  return [=](Schedule& s) { s.reverse_compute_inline(s.get_block(block)); };
}
std::function<void(Schedule&)> at(const std::string& block, const std::string& other, size_t loop = 0) {
  return [=](Schedule& s) { s.compute_at(s.get_block(block), s.get_loops(s.get_block(other))[loop]); };
}
std::function<void(Schedule&)> reverse_at(const std::string& block, const std::string& other, size_t loop = 0) {
  return [=](Schedule& s) { s.reverse_compute_at(s.get_block(block), s.get_loops(s.get_block(other))[loop]); };
}
std::function<void(Schedule&)> cache_write(const std::string& block) {
  return [=](Schedule& s) { s.cache_write(s.get_block(block), "local"); };
}

}  // namespace

TEST_CASE("steps of a recurrence that store to one place keep their order", "[unit]") {
  for (const std::string& body : {nest("D", "scan", "", "D[0] = D[0] * 3 - A[xD]"),
                                  nest("D", "scan", "spatial", "D[yD] = D[yD] * 3 - Q[xD, yD]")}) {
    Schedule s(function(body));
    const auto parts = s.split(s.get_loops(s.get_block("D"))[0], {std::nullopt, 2});
    CHECK_THAT(ERROR_OF(s.reorder({parts[1], parts[0]})),
               ContainsSubstring("reorder: the block D needs earlier steps of the loop iD_"));
  }
  // A sum of each step must be whole before the next one reads it.
  const auto turned = [](Schedule& s) {
    const auto loops = s.get_loops(s.get_block("D"));
    s.reorder({loops[1], loops[0]});
  };
  refuses(nest("D", "scan", "reduce", "D[0] = D[0] * 3 - Q[xD, yD]"), turned, "reorder: the block D needs earlier");
  // Those of one place come in their order still.
  keeps(nest("D", "scan", "spatial", "D[yD] = D[yD] * 3 - Q[xD, yD]"), turned);
}

TEST_CASE("a block that moves runs where it ran before", "[unit]") {
  const std::string sum = kB + nest("B", "spatial", "reduce",
                                    "T.where(kB <= iB)\nwith T.init():\n    B[xB] = 1\nB[xB] = B[xB] + Q[xB, yB]");
  keeps(sum + nest("D", "D[xD] = B[xD]"), at("B", "D"));
  const std::string triangle =
      kB + nest("B", "spatial", "reduce", "with T.init():\n    B[xB] = 1\nB[xB] = B[xB] + Q[xB, yB]", 1, "iB + 1");
  keeps(triangle + nest("D", "D[xD] = B[xD]"), at("B", "D"));
  keeps(kMakesB + nest("D", "T.where(iD % 2 == 1)\nD[xD] = B[xD] * 2"), reverse_at("D", "B"));
  keeps(kMakesB + nest("E", "spatial", "spatial", "Q[xE, yE] = B[yE] * 2", 1, "iE, 6"), reverse_at("E", "B"));
  keeps(kMakesB + nest("E", "spatial", "spatial", "Q[xE, yE] = B[xE] * 2", 1, "iE, 6"), reverse_at("E", "B"));
  refuses(kMakesB + nest("E", "spatial", "spatial", "Q[xE, yE] = B[xE] * 2", 1, "iE, 6"), reverse_inlined("E"),
          "reverse_compute_inline: ");
  // A part of D is made, and all of it read.
  refuses(nest("D", "T.where(iD < 3)\nD[xD] = A[xD] * 2") + nest("E", "E[xE] = D[xE]"), reverse_at("E", "D"),
          "reverse_compute_at: the block D writes D only where 'xD < 3', and the block E reads the rest, too");
  // Every second value of an axis, by the loop's own steps.
  const std::string steps =
      "    for i in range(3):\n"
      "        with T.block(\"D\"):\n"
      "            x = T.axis.spatial(6, i * 2)\n"
      "            T.reads()\n"
      "            T.writes()\n"
      "            D[x] = B[x]\n";
  keeps(kMakesB + steps, at("B", "D"));
  refuses(kMakesB + steps, reverse_at("D", "B"), "reverse_compute_at: the loops around the block D");
}

TEST_CASE("what a block reads must be as it was when the block comes later", "[unit]") {
  const std::string again = nest("Z", "A[xZ] = xZ * 7");
  for (const auto& step : {inlined("B"), at("B", "D")}) {
    refuses(kMakesB + again + kReadsB, step, "the block Z writes A, which the block B reads");
    keeps(kMakesB + kReadsB + again, step);
    keeps(kB + nest("Z", "A[xZ] = xZ * 7") + nest("B", "B[xB] = A[xB] + 1") + kReadsB, step);
  }
  // The reader writes it itself.
  refuses(kMakesB + nest("D", "A[xD] = B[5 - xD] * 2"), inlined("B"), "the block D writes A, which the block B reads");
  refuses(kMakesB + nest("Z", "D[xZ] = xZ") + nest("E", "E[xE] = D[xE]") + kReadsB, reverse_at("D", "B"),
          "reverse_compute_at: ");
}

TEST_CASE("statements in no block count", "[unit]") {
  const std::string plain = "    for j in range(6):\n        A[j] = j * 7\n";
  refuses(kMakesB + plain + kReadsB, inlined("B"), "the statement 'A[j] = j * 7' writes A, which the block B reads");
  refuses(kMakesB + plain + kReadsB, at("B", "D"), "the statement 'A[j] = j * 7' writes A");
  refuses(kMakesB + plain + kReadsB, reverse_at("D", "B"), "the statement 'A[j] = j * 7' writes A");
  refuses(kMakesB + "    B[2] = 3\n" + kReadsB, reverse_at("D", "B"), "the statement 'B[2] = 3' writes B");
  const std::string reader = "    for j in range(6):\n        E[j] = B[5 - j]\n";
  keeps(kMakesB + kReadsB + reader, inlined("B"));
  refuses(kMakesB + kReadsB + reader, at("B", "D"), "the statement 'E[j] = B[5 - j]'");
  refuses(kMakesB + nest("D", "D[xD] = B[xD] * 2") + reader, reverse_inlined("D"), "the statement 'E[j] = B[5 - j]'");
  refuses(kMakesB + "    B[2] = 3\n" + kReadsB, inlined("B"), "the statement 'B[2] = 3'");
}

TEST_CASE("what stands under a condition stays there", "[unit]") {
  const std::string inside = "    if A[0] > 100:\n" + nest("D", "D[xD] = B[xD] * 2", 2);
  keeps(kMakesB + inside, inlined("B"));
  keeps(kMakesB + inside, at("B", "D"));
  refuses(kMakesB + inside, reverse_at("D", "B"), "reverse_compute_at: the block D runs only where 'A[0] > 100'");
  refuses(kMakesB + inside, reverse_inlined("D"), "reverse_compute_inline: the block D runs only where 'A[0] > 100'");
  refuses(kMakesB + inside, cache_write("D"), "cache_write: the block D");
}

TEST_CASE("a copy is made of what a block writes as a whole", "[unit]") {
  refuses(nest("D", "if xD % 2 == 1:\n    D[xD] = A[xD]"), cache_write("D"), "cache_write: the block D");
  refuses(nest("D", "T.where(iD % 2 == 1)\nD[xD] = A[xD]"), cache_write("D"), "cache_write: the block D");
  refuses(nest("D", "D[xD] = D[xD] + A[xD]"), cache_write("D"), "cache_write: the block D reads D");
  refuses(nest("D", "spatial", "reduce", "with T.init():\n    Q[xD, xD] = 2\nQ[xD, xD] = Q[xD, xD] + A[yD]"),
          cache_write("D"), "cache_write: the block D");
  keeps(nest("D", "spatial", "reduce", "with T.init():\n    D[xD] = 2\nD[xD] = D[xD] + Q[xD, yD]"), cache_write("D"));
  Schedule s(
      function("    for i in range(3):\n        with T.block(\"D\"):\n            x = T.axis.spatial(6, i * 2)\n"
               "            T.reads()\n            T.writes()\n            D[x] = A[x]\n"));
  s.blockize(s.get_loops(s.get_block("D"))[0]);
  CHECK_THAT(ERROR_OF(cache_write("D_o")(s)), ContainsSubstring("cache_write: the block D_o writes a part of D only"));
}

TEST_CASE("names that are defined around a block are not to be had elsewhere", "[unit]") {
  const std::string let =
      "    B = T.alloc_buffer((6, 6), \"int32\")\n"
      "    for i in range(6):\n"
      "        s: T.int32 = A[i] * 3\n"
      "        for j in range(6):\n"
      "            with T.block(\"B\"):\n"
      "                vi = T.axis.spatial(6, i)\n"
      "                vj = T.axis.spatial(6, j)\n"
      "                T.reads()\n"
      "                T.writes()\n"
      "                B[vi, vj] = Q[vi, vj] + s\n";
  const std::string reader = nest("D", "spatial", "spatial", "Q[xD, yD] = B[xD, yD] * 2");
  refuses(let + nest("D", "D[xD] = B[xD, 2]"), inlined("B"), "compute_inline: the block B uses s");
  refuses(let + nest("D", "D[xD] = B[xD, 2]"), at("B", "D"), "compute_at: the block B uses s");
  refuses(let + reader, reverse_at("B", "D"), "reverse_compute_at: ");
  const std::string allocated =
      "    B = T.alloc_buffer((6,), \"int32\")\n"
      "    for i in range(6):\n"
      "        t = T.allocate((1,), \"int32\")\n"
      "        t[0] = i * 2\n"
      "        with T.block(\"B\"):\n"
      "            vi = T.axis.spatial(6, i)\n"
      "            T.reads()\n"
      "            T.writes()\n"
      "            B[vi] = A[vi] + t[0]\n";
  refuses(allocated + kReadsB, inlined("B"), "compute_inline: the block B uses t");
  refuses(allocated + kReadsB, at("B", "D"), "compute_at: the block B uses t");
}

TEST_CASE("a loop whose bounds move is not factored out", "[unit]") {
  refuses(
      nest("D", "spatial", "reduce", "with T.init():\n    D[xD] = 1\nD[xD] = D[xD] + Q[xD, yD]", 1, "iD + 1"),
      [](Schedule& s) { s.rfactor(s.get_loops(s.get_block("D"))[1], 0); },
      "rfactor: the bounds of the loop kD move with iD");
}

TEST_CASE("a sum that begins with another value is factored into sums from nothing", "[unit]") {
  keeps(nest("D", "spatial", "reduce", "with T.init():\n    D[xD] = 2\nD[xD] = D[xD] + Q[xD, yD]"), [](Schedule& s) {
    s.rfactor(s.split(s.get_loops(s.get_block("D"))[1], {std::nullopt, 3})[1], 0);
  });
}

TEST_CASE("what stands in a loop that is split is guarded with it", "[unit]") {
  const auto split = [](Schedule& s) { s.split(s.get_loops(s.get_block("D"))[0], {std::nullopt, 4}); };
  const std::string block =
      "        for j in range(6):\n"
      "            with T.block(\"D\"):\n"
      "                vi = T.axis.spatial(6, i)\n"
      "                vj = T.axis.spatial(6, j)\n"
      "                T.reads()\n"
      "                T.writes()\n"
      "                Q[vi, vj] = Q[vi, vj] + s\n";
  keeps("    for i in range(6):\n        s: T.int32 = A[i]\n" + block, split);
  keeps(
      "    for i in range(6):\n"
      "        for j in range(T.min(T.max(A[i], 0), 6)):\n"
      "            with T.block(\"D\"):\n"
      "                vi = T.axis.spatial(6, i)\n"
      "                vj = T.axis.spatial(6, j)\n"
      "                T.reads()\n"
      "                T.writes()\n"
      "                Q[vi, vj] = Q[vi, vj] + 1\n",
      split);
}

}  // namespace vantage::test::compiler_schedule_hazards_test
