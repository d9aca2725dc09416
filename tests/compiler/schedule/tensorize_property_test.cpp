// Whatever tensorize accepts, the function still computes the same; and what has the form of the instruction is
// accepted, or refused for what the instruction lacks.
#include "base/error.h"
#include "base/json.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/verify.h"
#include "compiler/schedule/schedule.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/random_intrinsic.h"
#include "tests/compiler/schedule/random_te.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_schedule_tensorize_property_test {

using namespace vantage;
using namespace vantage::schedule;
using test::Formula;

namespace {

class Maker {
 public:
  explicit Maker(std::mt19937_64& random) : random_(random) {}

  // The loops that the instruction does innermost, the others in any order, and perhaps other steps. Returns the loop
  // that it takes the place of.
  LoopRV prepare(Schedule& s, const Formula& formula, const Formula& target) {
    const BlockRV block = s.get_block("C");
    if (coin()) s.cache_read(block, "A", "local");
    const auto loops = s.get_loops(block);  // batch, spatial, depth, reduce
    std::vector<LoopRV> outer, inner;
    size_t next = 0;
    const auto add = [&](int64_t in_front, const std::vector<int64_t>& extents) {
      if (in_front > 0) outer.push_back(loops[next++]);
      for (const int64_t extent : extents) {
        const auto [o, i] = s.split_by_factor(loops[next++], extent);
        outer.push_back(o);
        inner.push_back(i);
      }
    };
    add(target.batch, formula.spatial);
    add(target.depth, formula.reduce);
    std::shuffle(outer.begin(), outer.end(), random_);
    std::vector<LoopRV> order = outer;
    order.insert(order.end(), inner.begin(), inner.end());
    s.reorder(order);
    if (pick(0, 3) == 0) s.unroll(outer[0]);
    if (pick(0, 3) == 0) {
      try {
        s.decompose_reduction(block, order[static_cast<size_t>(pick(0, static_cast<int64_t>(order.size()) - 1))]);
      } catch (const Error&) {  // no reduction, or not at that loop
      }
    }
    return inner[0];
  }

  bool coin() { return pick(0, 1) == 0; }
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random_() % static_cast<uint64_t>(to - from + 1));
  }

 private:
  std::mt19937_64& random_;
};

}  // namespace

TEST_CASE("random instructions take the place of what computes the same", "[property]") {
  std::mt19937_64 random = test::generator(20261125);
  Maker maker(random);
  int done = 0, lacking = 0, refused = 0, lucky = 0;
  for (int round = 0; round < test::rounds(150); ++round) {
    const Formula formula = test::random_formula(random);
    const bool reduces = formula.reducer != Formula::Reducer::kNone;
    const test::DeviceParts parts[] = {
        {true, false, false}, {false, false, true}, {false, true, true}, {true, true, true}};
    const auto intrinsic = std::make_shared<const Intrinsic>(
        test::device_intrinsic(formula, reduces ? parts[maker.pick(0, 3)] : parts[0]));
    const bool is_altered = maker.pick(0, 3) == 0;
    const Formula wanted = test::larger(formula, random);
    const Formula target = is_altered ? test::altered(wanted, random) : wanted;
    const ir::PrimFunc original = test::to_function(target);
    Schedule s(original, {intrinsic});
    const LoopRV loop = maker.prepare(s, formula, target);
    INFO("round " << round << "\n"
                  << ir::to_text(intrinsic->compute() ? intrinsic->compute()->description()
                                                      : intrinsic->update()->description())
                  << ir::to_text(s.function()));
    try {
      s.tensorize(loop, "dev.op");
      ++(is_altered ? lucky : done);
    } catch (const Error& error) {
      const std::string message = error.what();
      INFO(message);
      if (is_altered) {
        ++refused;
      } else {
        ++lacking;
        REQUIRE(intrinsic->update() == nullptr);
        const bool lost = message.find("would be lost") != std::string::npos;
        REQUIRE((lost || message.find("would overwrite") != std::string::npos));
      }
      continue;
    }
    INFO(ir::to_text(s.function()));
    REQUIRE(ir::verify(s.function()) == std::vector<std::string>());
    ir::InterpreterOptions options;
    options.externs = test::device(formula);
    const auto arrays = test::random_arrays(original, random);
    REQUIRE(test::first_difference(original, test::run(original, arrays, options),
                                   test::run(s.function(), arrays, options)) == "");
    Schedule again(original, {intrinsic});
    again.replay(trace_from_json(parse_json(to_json(s.trace()).dump(), "trace")));
    REQUIRE(ir::structural_equal(again.function(), s.function()));
  }
  CHECK(done > test::rounds(80));
  CHECK(lacking > 0);
  CHECK(refused > test::rounds(10));
  CHECK(lucky < refused);
}

}  // namespace vantage::test::compiler_schedule_tensorize_property_test
