// Whatever schedule is lowered to threads computes what it says, without a race.
#include "base/error.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/verify.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/random_threads.h"
#include "tests/compiler/schedule/random_schedule.h"
#include "tests/compiler/schedule/random_te.h"
#include "tests/support/effort.h"

namespace vantage::test::compiler_backend_cuda_property_test {

using namespace vantage;
using namespace vantage::schedule;

TEST_CASE("random schedules with loops on threads are interpreted as threads", "[property]") {
  std::mt19937_64 random(20261125);
  test::Tally tally;
  int kernels = 0, barriers = 0, refused = 0;
  for (int round = 0; round < test::rounds(200); ++round) {
    const ir::PrimFunc original = test::random_te_function(random);
    const auto arrays = test::random_arrays(original, random);
    ir::InterpreterOptions serial;
    serial.threads = false;
    const auto expected = test::run(original, arrays, serial);
    Schedule s(original);
    for (int i = 0; i < 3; ++i) test::random_step(s, random, tally);
    test::take_random_threads(s, random);
    for (int i = 0; i < 3; ++i) test::random_step(s, random, tally);
    INFO("round " << round << "\n" << to_cpp(s.trace()) << ir::to_text(s.function()));
    ir::PrimFunc lowered;
    std::string wrong;
    try {
      lowered = cuda::lower(s.function(), [&](const passes::Step& step) {
        const auto messages = ir::verify(*step.function);
        if (wrong.empty() && !messages.empty()) wrong = fmt::format("{}: {}\n{}", step.name, messages[0], step.text());
      });
    } catch (const Error&) {
      ++refused;
      continue;
    }
    REQUIRE(wrong == "");
    const std::string text = ir::to_text(lowered);
    INFO(text);
    REQUIRE(ir::to_text(ir::parse_function(text, "text")) == text);
    REQUIRE(test::first_difference(original, expected, test::run(lowered, arrays)) == "");
    if (!ir::thread_loops(lowered.body).empty()) ++kernels;
    if (text.find("storage_sync") != std::string::npos) ++barriers;
  }
  INFO(kernels << " with kernels, " << barriers << " with barriers, " << refused << " refused");
  CHECK(kernels >= 20);
  CHECK(barriers >= 3);
  CHECK(2 * refused <= test::rounds(200));
}

}  // namespace vantage::test::compiler_backend_cuda_property_test
