// Tensors in files with several of them: safetensors and .npz.
#include <bit>
#include <cstring>

#include "base/file.h"
#include "base/tensor/tensor_archive.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_tensor_archive_test {

using namespace vantage;

namespace {

std::string safetensors(const std::string& header, const std::string& data) {
  const uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + data;
}

std::string error_of(const std::string& bytes) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "w.safetensors";
  write_file(path, bytes);
  const std::string message = ERROR_OF(open_safetensors(path));
  return message.starts_with(path.string() + ": ") ? message.substr(path.string().size() + 2) : message;
}

}  // namespace

TEST_CASE("tensors of a safetensors file are read by name, bfloat16 as what it is the half of", "[unit]") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "w.safetensors";
  const float numbers[] = {1.5F, -2, 0x1p100F};
  std::string data = "\x01\xff";  // I8
  data += std::string(reinterpret_cast<const char*>(numbers), sizeof numbers);
  for (const float number : numbers) {
    const auto half = static_cast<uint16_t>(std::bit_cast<uint32_t>(number) >> 16);
    data += std::string(reinterpret_cast<const char*>(&half), sizeof half);
  }
  write_file(path, safetensors(R"({"__metadata__": {"format": "pt"},
      "b": {"dtype": "BF16", "shape": [3, 1], "data_offsets": [14, 20]},
      "a.i": {"dtype": "I8", "shape": [2], "data_offsets": [0, 2]},
      "f": {"dtype": "F32", "shape": [1, 3], "data_offsets": [2, 14]},
      "odd": {"dtype": "F8_E4M3", "shape": [0], "data_offsets": [20, 20]}})",
                               data));
  const auto archive = open_tensor_archive(path);
  CHECK(archive->names() == std::vector<std::string>{"a.i", "b", "f", "odd"});
  const Tensor a = archive->read("a.i"), b = archive->read("b"), f = archive->read("f");
  CHECK(a.dtype() == kInt8);
  CHECK(a.integer(1) == -1);
  CHECK(b.shape() == Tensor::Shape{3, 1});
  CHECK(b.dtype() == kFloat32);
  for (int64_t e = 0; e < 3; ++e) {
    CHECK(b.number(e) == double{numbers[e]});
    CHECK(f.number(e) == double{numbers[e]});
  }
  CHECK(archive->has("odd"));
  CHECK_FALSE(archive->has("a"));
  CHECK_THAT(ERROR_OF(archive->read("odd")), ContainsSubstring("odd is of F8_E4M3, which tensors here are not"));
  CHECK_THAT(ERROR_OF(archive->read("a")), ContainsSubstring("w.safetensors: has no tensor a"));
}

TEST_CASE("safetensors files that are none, cut off or hostile are refused", "[unit]") {
  const std::string entry = R"("dtype": "I8", "shape": [2], "data_offsets")";
  CHECK(error_of("abc") == "is no safetensors file: it has 3 bytes");
  CHECK_THAT(error_of(std::string(8, '\x7f')), ContainsSubstring("is no safetensors file, or cut off"));
  CHECK_THAT(error_of(safetensors("[]", "")), ContainsSubstring("expected an object"));
  CHECK_THAT(error_of(safetensors(R"({"a": {)" + entry + ": [0, 2]}}", "a")),
             ContainsSubstring("data_offsets is [0,2], expected two places in its 1 bytes of data"));
  CHECK_THAT(error_of(safetensors(R"({"a": {)" + entry + ": [0, 1]}}", "a")), ContainsSubstring("expected 2 bytes"));
  CHECK_THAT(error_of(safetensors(R"({"a": {)" + entry + ": [2, 0]}}", "ab")), ContainsSubstring("the end behind"));
  CHECK_THAT(error_of(safetensors(R"({"a": {)" + entry + ": [0, -2]}}", "ab")), ContainsSubstring("whole numbers"));
  CHECK(error_of(safetensors(R"({"a": {)" + entry + R"(: [0, 2]}, "b": {)" + entry + ": [1, 3]}}", "abc"))
            .starts_with("its tensors overlap at byte "));
  CHECK(error_of(safetensors(R"({"a": {)" + entry + ": [1, 3]}}", "abc")).starts_with("its tensors leave a gap"));
  CHECK(error_of(safetensors(R"({"a": {)" + entry + ": [0, 2]}}", "abc")) == "has 1 bytes behind its last tensor");
  CHECK_THAT(error_of(safetensors(
                 R"({"a": {"dtype": "F64", "shape": [4611686018427387904, 4], "data_offsets": [0, 0]}})", "")),
             ContainsSubstring("expected more than any file's bytes"));
  CHECK_THAT(ERROR_OF(open_tensor_archive("/nonexistent/w.safetensors")), ContainsSubstring("cannot be read"));
  CHECK_THAT(ERROR_OF(open_tensor_archive("/")), ContainsSubstring("neither .npz nor .safetensors"));
}

TEST_CASE("arrays of an .npz are read by name, packed or not", "[unit]") {
  // numpy.savez[_compressed]("...", a=numpy.arange(6, dtype="f4").reshape(2, 3), **{"b.c": numpy.array([-1], "i1")})
  for (const char* file : {"stored.npz", "packed.npz"}) {
    const auto archive = open_tensor_archive(test::source_dir() / "tests/data/npz" / file);
    CHECK(archive->names() == std::vector<std::string>{"a", "b.c"});
    const Tensor a = archive->read("a");
    CHECK(a.shape() == Tensor::Shape{2, 3});
    CHECK(a.number(5) == 5);
    CHECK(archive->read("b.c").integer(0) == -1);
    CHECK_THAT(ERROR_OF(archive->read("b")), ContainsSubstring("has no tensor b"));
  }
}

TEST_CASE("files that are no .npz are refused", "[unit]") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "w.npz";
  const std::string whole = read_file(test::source_dir() / "tests/data/npz/packed.npz", Bytes(4096));
  write_file(path, "PK and no more");
  CHECK_THAT(ERROR_OF(open_npz(path)), ContainsSubstring("w.npz: "));
  for (const size_t length : {whole.size() / 8, whole.size() / 3}) {
    write_file(path, whole.substr(0, length));
    CHECK_THAT(ERROR_OF(open_npz(path)), ContainsSubstring("w.npz: "));
  }
  CHECK_THAT(ERROR_OF(open_npz(folder.path() / "none.npz")), ContainsSubstring("none.npz: "));
}

}  // namespace vantage::test::base_tensor_archive_test
