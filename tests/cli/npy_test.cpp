#include "cli/npy.h"

#include "base/file.h"
#include "cli/idx.h"
#include "tests/catch.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/temporary.h"

using namespace vantage;
using cli::NpyType;
using ops::Matrix;

namespace {

std::string error_of(const std::string& file, NpyType type = NpyType::kInt8) {
  return ERROR_OF(cli::parse_npy(file, type, "f"));
}

}  // namespace

TEST_CASE("arrays round-trip through .npy", "[unit]") {
  const test::TemporaryFolder folder;
  Matrix matrix(2, 3);
  matrix.values = {-128, 0, 127, 1, 2, 3};
  for (NpyType type : {NpyType::kInt8, NpyType::kInt32}) {
    write_npy(folder.path() / "a.npy", matrix, type);
    CHECK(read_npy(folder.path() / "a.npy", type) == matrix);
    CHECK(read_file(folder.path() / "a.npy", Bytes(1000)).size() == 64 * 2 + 6 * (type == NpyType::kInt8 ? 1 : 4));
  }
}

TEST_CASE("a vector reads as one row", "[unit]") {
  const Matrix matrix = cli::parse_npy(test::npy_bytes("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }",
                                                       std::string("\1\0\0\0\xff\xff\xff\xff", 8)),
                                       NpyType::kInt32, "f");
  CHECK(matrix.rows == 1);
  CHECK(matrix.values == std::vector<int32_t>{1, -1});
}

TEST_CASE("headers in any order, with any quotes and no last comma, are understood", "[unit]") {
  const Matrix matrix = cli::parse_npy(
      test::npy_bytes("{\"shape\": (1, 2), 'fortran_order': False, 'descr': '|i1'}", "ab"), NpyType::kInt8, "f");
  CHECK(matrix.values == std::vector<int32_t>{'a', 'b'});
}

TEST_CASE("a wrong element type, shape, order or size is refused", "[unit]") {
  CHECK(error_of(test::npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }", "abcd")) ==
        "f: its elements are '<f4', expected int8 ('|i1'); convert it with array.astype('int8')");
  CHECK(
      error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (1, 1), }", "a"), NpyType::kInt32) ==
      "f: its elements are '|i1', expected int32 ('<i4'); convert it with array.astype('int32')");
  CHECK_THAT(error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': True, 'shape': (1, 1), }", "a")),
             ContainsSubstring("Fortran order"));
  CHECK(error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }", "abcde")) ==
        "f: its shape 2 x 3 of int8 does not match its 5 bytes of data");
  CHECK(error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (1, 2, 3), }", "abcdef")) ==
        "f: it has 3 dimensions, expected 1 or 2");
  CHECK_THAT(error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (), }", "")),
             ContainsSubstring("0 dimensions"));
  CHECK_THAT(error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (x, 2), }", "a")),
             ContainsSubstring("header is malformed"));
  CHECK_THAT(
      error_of(test::npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "")),
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
}

TEST_CASE("IDX files are read and damaged ones refused", "[unit]") {
  const std::string file(
      "\0\0\x08\x02\0\0\0\x02\0\0\0\x03"
      "abcdef",
      18);
  const Matrix matrix = cli::parse_idx(file, "f");
  CHECK(matrix.rows == 2);
  CHECK(matrix.cols == 3);
  CHECK(matrix.at(1, 0) == 'd');
  CHECK(ERROR_OF(cli::parse_idx(file.substr(0, 17), "f")) ==
        "f: its header promises 2 items of 3 bytes, there are 5 bytes");
  CHECK_THAT(ERROR_OF(cli::parse_idx(file.substr(0, 7), "f")), ContainsSubstring("truncated inside its header"));
  CHECK_THAT(ERROR_OF(cli::parse_idx("abcd", "f")), ContainsSubstring("not an IDX file"));
  CHECK_THAT(ERROR_OF(cli::parse_idx(std::string("\0\0\x0d\x01\0\0\0\0", 8), "f")), ContainsSubstring("type 13"));
}
