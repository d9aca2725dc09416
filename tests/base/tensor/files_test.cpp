// Tensors in files: NumPy's .npy, and IDX.
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "base/file.h"
#include "base/gzip.h"
#include "base/tensor/idx.h"
#include "base/tensor/npy.h"
#include "tests/catch.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_tensor_files_test {

using namespace vantage;

namespace {

std::string error_of(const std::string& file, DType type = kInt8) {
  return ERROR_OF(parse_npy(file, "f", type));
}

}  // namespace

TEST_CASE("tensors of every type and rank round-trip through .npy", "[unit]") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.npy";
  for (const DType dtype : {kBool, kInt8, kInt16, kInt32, kInt64, kFloat16, kFloat32, kFloat64}) {
    for (const Tensor::Shape& shape : {Tensor::Shape{}, {3}, {2, 3}, {0, 4}, {2, 1, 3, 2}}) {
      Tensor tensor(dtype, shape);
      for (int64_t e = 0; e < tensor.size(); ++e) tensor.set_integer(e, dtype.is_bool() ? e % 2 : e - 2);
      write_npy(path, tensor);
      CHECK(read_npy(path) == tensor);
      CHECK(read_npy(path, dtype) == tensor);
      CHECK(read_file(path, Bytes(1000)).size() == 128 + tensor.bytes().size());
    }
  }
  const Tensor columns(kInt8, {2, 3}, {1, 2});
  write_npy(path, columns);
  CHECK(read_npy(path) == columns);
  CHECK(ERROR_OF(write_npy("f", Tensor(kInt4, {1}))) == "f: NumPy has no int4; convert the tensor to int8");
  CHECK(ERROR_OF(write_npy("f", Tensor(kBFloat16, {1}))) == "f: NumPy has no bfloat16; convert the tensor to float32");
}

TEST_CASE("headers in any order, with any quotes and no last comma, are understood", "[unit]") {
  const Tensor tensor =
      parse_npy(test::npy_bytes("{\"shape\": (1, 2), 'fortran_order': False, 'descr': '<i1'}", "ab"), "f");
  CHECK(tensor.shape() == Tensor::Shape{1, 2});
  CHECK(tensor.dtype() == kInt8);
  CHECK(tensor.integer(1) == 'b');
}

TEST_CASE("a wrong element type, shape, order or size is refused", "[unit]") {
  CHECK(error_of(test::npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }", "abcd")) ==
        "f: its elements are '<f4', expected int8 ('|i1'); convert it with array.astype('int8')");
  CHECK(error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (1, 1), }", "a"), kInt32) ==
        "f: its elements are '|i1', expected int32 ('<i4'); convert it with array.astype('int32')");
  CHECK(
      ERROR_OF(parse_npy(test::npy_bytes("{'descr': '>i4', 'fortran_order': False, 'shape': (1,), }", "abcd"), "f")) ==
      "f: its elements are '>i4', expected one of bool, int8, int16, int32, int64, uint8, uint16, uint32, float16, "
      "float32, float64, "
      "little-endian; convert it with array.astype");
  CHECK_THAT(error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': True, 'shape': (1, 1), }", "a")),
             ContainsSubstring("Fortran order"));
  CHECK(error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }", "abcde")) ==
        "f: its shape 2 x 3 of int8 does not match its 5 bytes of data");
  CHECK_THAT(error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (x, 2), }", "a")),
             ContainsSubstring("header is malformed"));
  CHECK_THAT(error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (-1, 2), }", "a")),
             ContainsSubstring("header is malformed"));
  CHECK_THAT(
      error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "")),
      ContainsSubstring("does not match"));
  CHECK_THAT(
      error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (4294967296, 4294967296, 0), }", "")),
      ContainsSubstring("does not match"));
  CHECK_THAT(error_of(test::npy_bytes("{'descr': '|i1', 'shape': (1, 1), }", "a")),
             ContainsSubstring("header is malformed"));
  for (const char* header : {"{'descr': '|i1', 'fortran_order': False, 'shape': (1 1)}", "{'descr': '|i1'", "{}", "",
                             "{'descr': '|i1', 'fortran_order': False, 'shape': (1,), 'x': 1}", "[]",
                             "{'descr': '|i1', 'fortran_order': False, 'shape': (1,)} x", "{'descr: '|i1'}"}) {
    CHECK(error_of(test::npy_bytes(header, "a")) == "f: its .npy header is malformed");
  }
  CHECK(error_of("PK\3\4 not numpy") == "f: not a .npy file");
  CHECK(error_of(std::string("\x93NUMPY\x03\x00\x10\x00", 10)) ==
        "f: .npy version 3 is not known here, expected 1 or 2");
  CHECK(error_of(std::string("\x93NUMPY\x01\x00\xff\xff", 10)) == "f: truncated inside its .npy header");
  CHECK(error_of(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)) == "f: truncated inside its .npy header");
}

TEST_CASE("a .npy file takes no more memory than it has bytes", "[unit]") {
  CHECK(ERROR_OF(read_npy("/dev/zero")) == "/dev/zero: not a .npy file");
  CHECK_THAT(ERROR_OF(read_npy("/nonexistent.npy")), ContainsSubstring("/nonexistent.npy: cannot be read: "));
  CHECK_THAT(ERROR_OF(read_npy("/")), ContainsSubstring("is a directory"));
  // Half a terabyte promised: nothing of it is there, whether the size is known before or not.
  const test::TemporaryFolder folder;
  const std::string huge = test::npy_bytes("<f8", "(65536, 1048576)", "abcdefgh");
  CHECK_THAT(ERROR_OF(read_npy(folder.file("huge.npy", huge))), ContainsSubstring("does not match its 8 bytes"));
  const auto pipe = folder.path() / "pipe";
  const auto through_pipe = [&](const std::string& bytes, const std::function<void()>& read) {
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
    read();
    writer.join();
  };
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  through_pipe(huge, [&] {
    CHECK_THAT(ERROR_OF(read_npy(pipe)), ContainsSubstring("takes more than the 1073741824 bytes that a .npy file"));
  });
  through_pipe(test::npy_bytes("|i1", "(2,)", "ab"), [&] { CHECK(read_npy(pipe).integer(1) == 'b'); });
  through_pipe(test::npy_bytes("|i1", "(2,)", "abc"), [&] {
    CHECK_THAT(ERROR_OF(read_npy(pipe)), ContainsSubstring("does not match its more than 2 bytes"));
  });
}

TEST_CASE("IDX files are read and damaged ones refused", "[unit]") {
  const std::string file(
      "\0\0\x08\x02\0\0\0\x02\0\0\0\x03"
      "abcde\xff",
      18);
  const Tensor tensor = parse_idx(file, "f");
  CHECK(tensor.shape() == Tensor::Shape{2, 3});
  CHECK(tensor.at({1, 0}) == 'd');
  CHECK(tensor.at({1, 2}) == 255);
  const test::TemporaryFolder folder;
  CHECK(read_idx(folder.file("plain.idx", file)) == tensor);
  CHECK(read_idx(folder.file("packed.idx", gzip(file))) == tensor);
  CHECK(ERROR_OF(parse_idx(file.substr(0, 17), "f")) == "f: its header promises 2 items of 3 bytes, there are 5 bytes");
  CHECK_THAT(ERROR_OF(parse_idx(file.substr(0, 7), "f")), ContainsSubstring("truncated inside its header"));
  CHECK_THAT(ERROR_OF(parse_idx("abcd", "f")), ContainsSubstring("not an IDX file"));
  CHECK_THAT(ERROR_OF(parse_idx(std::string("\0\0\x0d\x01\0\0\0\0", 8), "f")), ContainsSubstring("type 13"));
  CHECK_THAT(ERROR_OF(read_idx("/dev/zero")), ContainsSubstring("type 0"));
}

}  // namespace vantage::test::base_tensor_files_test
