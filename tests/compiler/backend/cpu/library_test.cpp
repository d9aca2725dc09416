// Libraries: saved here, loaded elsewhere, refused when they are not what they say.
#include "compiler/backend/cpu/library.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/sha256.h"
#include "base/temporary.h"
#include "base/tensor/random.h"
#include "compiler/ops/matmul/cpu_matmul.h"
#include "native/library.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/run_compiled.h"
#include "tests/support/temporary.h"

namespace vantage::test::backend_cpu_library_test {

using namespace vantage;
using namespace vantage::cpu;
using namespace vantage::ops;
using namespace vantage::test;

namespace {

constexpr Bytes kLimit{uint64_t{1} << 28};
constexpr MatmulShape kShape{.m = 33, .n = 40, .k = 50};

ir::PrimFunc matmul() {
  return schedule_cpu_matmul(kShape, host_target()).function();
}

std::string run(const std::string& program, const std::vector<std::string>& arguments) {
  const TemporaryDirectory folder;
  std::vector<std::string> argv = {program};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return run_tool(argv, folder.path(), "llvm-19");
}

}  // namespace

TEST_CASE("a library gives the same results in another process", "[unit]") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "matmul";
  save_library({matmul()}, path);
  std::mt19937_64 random(1);
  Tensor a(ir::kFloat32, {33, 50}), b(ir::kFloat32, {50, 40});
  fill(a, random);
  fill(b, random);
  const auto raw = [](const Tensor& array) { return std::string(as_text(array.bytes())); };
  write_file(folder.path() / "a.bin", raw(a));
  write_file(folder.path() / "b.bin", raw(b));
  // A program that has neither LLVM nor the compiler (tests/native/run_library.cpp).
  run(VANTAGE_RUN_LIBRARY, {path.string(), "matmul", (folder.path() / "a.bin").string(), "33,50",
                            (folder.path() / "b.bin").string(), "50,40", (folder.path() / "c.bin").string(), "33,40"});
  const auto here = run_compiled(jit(matmul()), {a, b, Tensor(ir::kFloat32, {33, 40})});
  CHECK(read_file(folder.path() / "c.bin", kLimit) == raw(std::get<Tensor>(here[2])));
}

TEST_CASE("what is not the library that its manifest says is refused", "[unit]") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "matmul";
  save_library({matmul()}, path);
  const auto library = path / native::kLibraryFile, manifest = path / native::kManifestFile;
  const std::string code = read_file(library, kLimit), text = read_file(manifest, kLimit);
  CHECK(native::load_library(path).find("matmul").signature().parameters.size() == 3);
  CHECK_THAT(ERROR_OF(native::load_library(path).find("matmull")), ContainsSubstring("did you mean 'matmul'?"));
  CHECK_THAT(ERROR_OF(save_library({matmul()}, path)), ContainsSubstring("exists"));

  // Corrupt in every way that a transfer may leave it.
  std::string flipped = code;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 1);
  for (const std::string& bad : {flipped, code.substr(0, code.size() / 2), std::string(),
                                 std::string("\x7f"
                                             "ELF")}) {
    write_file(library, bad);
    CHECK_THAT(ERROR_OF(native::load_library(path)),
               ContainsSubstring("library.so: is not the library that manifest.json was written for"));
  }
  std::filesystem::remove(library);
  CHECK_THAT(ERROR_OF(native::load_library(path)), ContainsSubstring("library.so"));
  write_file(library, code);

  const auto with = [&](const std::string& from, const std::string& to, bool sound = true) {
    std::string changed = text;
    const size_t at = changed.find(from);
    REQUIRE(at != std::string::npos);
    changed.replace(at, from.size(), to);
    // With the hash that such a manifest would have.
    if (Json json = Json::parse(changed); sound) {
      json.erase("manifest_sha256");
      json["manifest_sha256"] = sha256(json.dump());
      changed = json.dump();
    }
    write_file(manifest, changed);
    return ERROR_OF(native::load_library(path));
  };
  CHECK_THAT(with("\"matmul\"", "\"natmul\"", false),
             ContainsSubstring("manifest.json: damaged: its manifest_sha256 is not that of its other keys"));
  CHECK_THAT(with("vantage-library", "other-library"), ContainsSubstring("is no manifest of a library"));
  CHECK_THAT(with("\"version\": 2", "\"version\": 1"),
             ContainsSubstring("is of version 1, this program reads version 2"));
  CHECK_THAT(with("\"triple\": \"", "\"triple\": \"mips-"), ContainsSubstring("the library is for mips-"));
  CHECK_THAT(with("\"requires\": [", "\"requires\": [\"psychic\","),
             ContainsSubstring("the library needs a processor with psychic"));
  CHECK_THAT(with("\"name\": \"matmul\"", "\"name\": \"absent\""),
             ContainsSubstring("has no function 'absent', which the manifest names"));
  CHECK_THAT(with("\"functions\": [", "\"functions\": [7, "), ContainsSubstring("manifest.json: "));
  CHECK_THAT(with("\"alignment\"", "\"alignement\""), ContainsSubstring("unknown key \"alignement\"; did you mean"));
  CHECK_THAT(with("\"parameters\"", "\"parameter\""), ContainsSubstring("unknown key \"parameter\"; did you mean"));
  std::filesystem::remove(manifest);
  CHECK_THAT(ERROR_OF(native::load_library(path)), ContainsSubstring("manifest.json"));
}

TEST_CASE("a library in the place of one that is loaded is another, and the first stays what it was", "[unit]") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "matmul";
  save_library({matmul()}, path);
  const native::Library kept = native::load_library(path);
  CHECK(native::load_library(path).find("matmul").entry() == kept.find("matmul").entry());
  // Whatever happens to its file.
  std::filesystem::resize_file(path / native::kLibraryFile, 100);
  std::filesystem::remove_all(path);
  MatmulShape other = kShape;
  other.m = 5;
  save_library({schedule_cpu_matmul(other, host_target()).function()}, path);
  const native::Library next = native::load_library(path);
  CHECK(next.find("matmul").entry() != kept.find("matmul").entry());
  CHECK(next.find("matmul").signature().parameters[0].shape[0] == "5");
  CHECK(kept.find("matmul").signature().parameters[0].shape[0] == "33");
  run_compiled(kept.find("matmul"),
               {Tensor(ir::kFloat32, {33, 50}), Tensor(ir::kFloat32, {50, 40}), Tensor(ir::kFloat32, {33, 40})});
}

TEST_CASE("a library is saved below the folder that the process works in", "[unit]") {
  const TemporaryDirectory folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  save_library({matmul()}, "relative");
  const native::Library library = native::load_library("relative");
  std::filesystem::current_path(before);
  CHECK(library.functions.size() == 1);
}

TEST_CASE("machine code is known by its blocks and by the lines of the IR", "[unit]") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "matmul";
  ir::PrimFunc before = matmul();
  before.name = "before";
  save_library({before, matmul()}, path);
  const std::string library = (path / native::kLibraryFile).string();
  // Every block is a function inlined into the body, so tools that know DWARF name loops by them.
  const std::string names = run("llvm-dwarfdump-19", {"--debug-info", library});
  for (const char* block : {"pack_a", "pack_b", "tile", "C"}) {
    // "DW_AT_abstract_origin	(0x0000003a "tile")" of a place that it was inlined to.
    std::istringstream lines(names);
    bool inlined = false;
    for (std::string line; std::getline(lines, line);) {
      inlined = inlined || (line.find("DW_AT_abstract_origin") != std::string::npos &&
                            line.find(fmt::format("\"{}\")", block)) != std::string::npos);
    }
    INFO(block);
    CHECK(inlined);
  }
  // An address of the last function's inner loop leads to the block and to the line that multiplies.
  const std::string code = run("llvm-objdump-19", {"-d", "--no-show-raw-insn", library});
  std::istringstream lines(code);
  std::string address;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("vfmadd") != std::string::npos || line.find("mulps") != std::string::npos) {
      address = "0x" + line.substr(line.find_first_not_of(' '), line.find(':') - line.find_first_not_of(' '));
    }
  }
  REQUIRE(!address.empty());
  const std::string place = run("llvm-symbolizer-19", {"--obj=" + library, "--inlines", address});
  CHECK_THAT(place, ContainsSubstring("tile\n"));
  CHECK_THAT(place, ContainsSubstring("matmul.body\n"));
  const size_t colon = place.find("functions.tir:") + std::string("functions.tir:").size();
  const int number = std::stoi(place.substr(colon));
  std::istringstream source(read_file(path / "functions.tir", kLimit));
  std::string line;
  bool is_there = false;
  for (int i = 0; i < number; ++i) {
    std::getline(source, line);
    is_there = is_there || line.starts_with("def matmul(");
  }
  CHECK(is_there);
  CHECK_THAT(line, ContainsSubstring("tile[") && ContainsSubstring("pack_a[") && ContainsSubstring("pack_b["));
}

TEST_CASE("objects for other processors use their vectors", "[unit]") {
  const auto instructions = [](const std::string& triple, const std::string& features, ir::DType dtype) {
    MatmulShape shape = kShape;
    shape.dtype = dtype;
    const Target target = cross_target(triple, "", features);
    const Object object = compile_object({schedule_cpu_matmul(shape, target).function()}, target);
    const TemporaryDirectory folder;
    write_file(folder.path() / "o.o", object.codes.at(0));
    return run_tool({"llvm-objdump-19", "-d", "--no-show-raw-insn", "o.o"}, folder.path(), "llvm-19");
  };
  CHECK_THAT(instructions("armv7-linux-gnueabihf", "", ir::kFloat32), ContainsSubstring("vmla.f32\tq"));
  CHECK_THAT(instructions("armv7-linux-gnueabihf", "", ir::kInt8), ContainsSubstring("vmla.i32\tq"));
  CHECK_THAT(instructions("aarch64-linux-gnu", "", ir::kFloat32), ContainsSubstring("fmla\tv"));
  CHECK_THAT(instructions("aarch64-linux-gnu", "+dotprod", ir::kInt8), ContainsSubstring("sdot\tv"));
  CHECK_THAT(instructions("x86_64-linux-gnu", "+avx2,+fma,+avxvnni", ir::kInt8), ContainsSubstring("vpdpbusd"));
  CHECK_THAT(instructions("x86_64-linux-gnu", "+avx2,+fma", ir::kInt8), ContainsSubstring("vpmaddwd"));
  // Another machine's library is linked here, and refused here.
  const TemporaryDirectory folder;
  MatmulShape shape = kShape;
  for (const auto& [name, architecture] : {std::pair("armhf", "arm"), {"arm64", "aarch64"}}) {
    const Target target = named_target(name).target;
    const auto path = folder.path() / name;
    save_library({schedule_cpu_matmul(shape, target).function()}, path, target);
    CHECK_THAT(run("llvm-readelf-19", {"--dyn-syms", "--file-header", (path / native::kLibraryFile).string()}),
               ContainsSubstring("vantage_matmul") && ContainsSubstring("DYN"));
    CHECK_THAT(ERROR_OF(native::load_library(path)),
               ContainsSubstring(std::string("the library is for ") + architecture));
  }
  CHECK_THAT(ERROR_OF(named_target("arm65")),
             ContainsSubstring("there is no processor 'arm65'; did you mean 'arm64'?"));
  CHECK(named_target("aarch64-linux-gnu").threads == 1);
}

}  // namespace vantage::test::backend_cpu_library_test
