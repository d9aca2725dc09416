#include "tests/compiler/schedule/check_same.h"

#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"
#include "compiler/passes/compact_buffers.h"
#include "compiler/passes/lower_blocks.h"
#include "compiler/passes/plan_allocations.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/random_te.h"

namespace vantage::test {

void check_same(const ir::PrimFunc& original, const ir::PrimFunc& changed) {
  std::mt19937_64 random(1);
  const auto arrays = random_arrays(original, random);
  const auto expected = run(original, arrays, {});
  const ir::PrimFunc lowered = passes::lower_blocks(passes::compact_buffers(passes::plan_allocations(changed)));
  for (const ir::PrimFunc* function : {&changed, &lowered}) {
    INFO(ir::to_text(*function));
    CHECK(ir::verify(*function) == std::vector<std::string>());
    CHECK(first_difference(original, expected, run(*function, arrays, {})) == "");
  }
}

}  // namespace vantage::test
