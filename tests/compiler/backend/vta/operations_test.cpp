#include "compiler/backend/vta/operations.h"

#include <fmt/format.h>

#include "tests/catch.h"

namespace vantage::test::backend_vta_operations_test {

using namespace vantage;
using vta::Access;

namespace {

// Each row's scratchpad, R or W, and where its accesses lie.
std::string rows_of(const std::vector<Access>& accesses) {
  constexpr const char* kNames[] = {"inp", "wgt", "acc", "tensor"};
  std::string text;
  vta::for_each_row_of(accesses, [&](const Access& first, const std::vector<vta::Interval>& row) {
    text += fmt::format("{} {}", kNames[static_cast<size_t>(first.space)], first.is_write ? "W" : "R");
    for (const vta::Interval& i : row) text += fmt::format(" {}:{}", i.begin, i.end);
    text += "; ";
  });
  return text;
}

Access access(Access::Space space, uint64_t begin, uint64_t end, bool is_write = false) {
  return {space, 0, begin, end, is_write};
}

}  // namespace

TEST_CASE("accesses that lie behind each other are one row", "[unit]") {
  using enum Access::Space;
  CHECK(rows_of({}).empty());
  CHECK(rows_of({access(kInp, 0, 4), access(kInp, 5, 6), access(kInp, 9, 12)}) == "inp R 0:4 5:6 9:12; ");
  // Another scratchpad, writes beside reads.
  CHECK(rows_of({access(kAcc, 0, 4, true), access(kAcc, 6, 8), access(kInp, 9, 10)}) ==
        "acc W 0:4; acc R 6:8; inp R 9:10; ");
  // Those that touch, overlap or go back begin another row.
  CHECK(rows_of({access(kWgt, 0, 4), access(kWgt, 4, 8)}) == "wgt R 0:4; wgt R 4:8; ");
  CHECK(rows_of({access(kWgt, 4, 8), access(kWgt, 6, 9)}) == "wgt R 4:8; wgt R 6:9; ");
  CHECK(rows_of({access(kWgt, 6, 8), access(kWgt, 0, 2), access(kWgt, 4, 5)}) == "wgt R 6:8; wgt R 0:2 4:5; ");
  // Tensors are left out, and end a row.
  CHECK(rows_of({access(kInp, 0, 1), access(kTensor, 0, 64), access(kInp, 3, 4)}) == "inp R 0:1; inp R 3:4; ");
}

}  // namespace vantage::test::backend_vta_operations_test
