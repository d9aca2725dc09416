#include "workload/program_tensors.h"

#include "tests/catch.h"
#include "tests/support/random_config.h"

namespace vantage::test::workload_program_tensors_test {

using namespace vantage;
using namespace vantage::workload;
using isa::Memory;

TEST_CASE("a tensor of a program is an array of its elements' lanes", "[unit]") {
  const auto config = isa::Config::vta_default();
  CHECK(shape_of({"A", Memory::kInp, 3, TensorRole::kInput}, config) == Tensor::Shape{3, 1, 16});
  CHECK(shape_of({"W", Memory::kWgt, 3, TensorRole::kInput}, config) == Tensor::Shape{3, 16, 16});
  CHECK(shape_of({"b", Memory::kAcc, 3, TensorRole::kInput}, config) == Tensor::Shape{3, 1, 16});
  CHECK(dtype_of({"b", Memory::kAcc, 3, TensorRole::kInput}, config) == kInt32);
  CHECK(dtype_of({"C", Memory::kOut, 3, TensorRole::kOutput}, config) == kInt8);
}

TEST_CASE("values survive packing at every width", "[unit]") {
  for (const char* name : {"default", "int4"}) {
    const auto config = test::shipped_config(name);
    for (const Memory memory : {Memory::kInp, Memory::kWgt, Memory::kAcc, Memory::kAcc8, Memory::kOut}) {
      const ProgramTensor tensor{"t", memory, 2, TensorRole::kInput};
      Tensor values(dtype_of(tensor, config), shape_of(tensor, config));
      for (int64_t i = 0; i < values.size(); ++i) values.set_integer(i, i % 16 - 8);
      const auto bytes = pack(tensor, config, values, "f.npy");
      CHECK(bytes.size() == (config.element_size(memory) * 2).count());
      CHECK(unpack(tensor, config, bytes) == values);
      // In any shape of as many values.
      CHECK(pack(tensor, config, values.reshaped({values.size()}), "f.npy") == bytes);
    }
  }
}

TEST_CASE("an array that does not fit says what would", "[unit]") {
  const auto config = test::shipped_config("int4");
  const ProgramTensor tensor{"A", Memory::kInp, 2, TensorRole::kInput};
  const Tensor::Shape shape = shape_of(tensor, config);
  CHECK_THAT(ERROR_OF(pack(tensor, config, Tensor(kInt32, shape), "f.npy")),
             ContainsSubstring("f.npy: it is int32[2, 1, 16], but the tensor A is int8[2, 1, 16]; convert it with"));
  CHECK_THAT(ERROR_OF(pack(tensor, config, Tensor(kInt8, {5}), "f.npy")),
             ContainsSubstring("f.npy: it is int8[5], which has 5 values, but the tensor A is int8[2, 1, 16], which "
                               "has 32"));
  CHECK_THAT(ERROR_OF(pack(tensor, config, Tensor(kFloat32, shape), "f.npy")), ContainsSubstring("it is float32["));
  Tensor large(kInt8, shape);
  large.set_integer(3, 8);
  CHECK(ERROR_OF(pack(tensor, config, large, "f.npy")) ==
        "f.npy: value 3 is 8, which does not fit the 4 bits of the tensor A (-8 to 7)");
}

}  // namespace vantage::test::workload_program_tensors_test
