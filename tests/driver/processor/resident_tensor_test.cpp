#include "driver/processor/resident_tensor.h"

#include "tests/catch.h"

namespace vantage::test::driver_processor_resident_tensor_test {

using namespace vantage;
using namespace vantage::driver;

TEST_CASE("tensors of the host become a processor's and come back", "[unit]") {
  const auto cpu = Processor::open("cpu:", 1);
  Tensor columns(kInt16, {2, 3}, {1, 2});
  for (int64_t e = 0; e < columns.size(); ++e) columns.set_integer(e, e);
  ResidentTensor tensor(*cpu, columns);
  CHECK(tensor.tensor()->dtype.bits == 16);
  CHECK(tensor.read() == columns);
  CHECK(tensor.read().is_dense());
  tensor.write(Tensor(kInt16, {2, 3}));
  CHECK(tensor.read().integer(5) == 0);
  CHECK_THROWS_AS(tensor.write(columns), InternalError);
  CHECK_THROWS_AS(tensor.write(Tensor(kInt16, {3, 2})), InternalError);
  CHECK_THAT(ERROR_OF(ResidentTensor(*cpu, kInt8, {int64_t{1} << 62, 4})), ContainsSubstring("larger than any memory"));
}

}  // namespace vantage::test::driver_processor_resident_tensor_test
