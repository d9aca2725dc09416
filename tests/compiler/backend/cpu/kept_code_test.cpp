// Machine code that is kept: found again for the same IR, target and options alone.
#include <filesystem>

#include "base/kept_files.h"
#include "base/tensor/tensor.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::backend_cpu_kept_code_test {

using namespace vantage;
using namespace vantage::te;
namespace fs = std::filesystem;

namespace {

ir::PrimFunc times(float factor, const char* name = "f") {
  const te::Tensor x = placeholder({37}, kFloat32, "X");
  const te::Tensor y = compute(
      {37}, [&](Expr i) { return x(i) * factor + 1.0F; }, "Y");
  return create_prim_func({x, y}, name);
}

ir::PrimFunc squares() {
  const te::Tensor x = placeholder({37}, kFloat32, "X");
  const te::ReduceAxis k = reduce_axis(37, "k");
  const te::Tensor y = compute(
      {1}, [&](Expr) { return sum(x(k) * x(k), {k}); }, "Y");
  return create_prim_func({x, y}, "squares");
}

std::vector<std::string> keys_in(const fs::path& folder) {
  std::vector<std::string> keys;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.size() == 64) keys.push_back(name);
  }
  return keys;
}

}  // namespace

TEST_CASE("each function's code is kept once for each IR, target and option", "[unit]") {
  const test::TemporaryFolder folder;
  cpu::Options options{.kept = std::make_shared<KeptFiles>(folder.path(), "test/1")};
  const auto kept = [&] { return keys_in(folder.path()).size(); };
  const cpu::Target host = cpu::host_target(), plain = cpu::cross_target(host.triple);
  const cpu::Object made = cpu::compile_object({times(2)}, host, options);
  CHECK(made.codes == cpu::compile_object({times(2)}, host).codes);
  CHECK(made.codes == cpu::compile_object({times(2)}, host, options).codes);
  CHECK(kept() == 1);
  // One of two is known, wherever it stands.
  CHECK(cpu::compile_object({times(3, "g"), times(2)}, host, options).codes.at(1) == made.codes.at(0));
  CHECK(kept() == 2);
  cpu::compile_object({times(2)}, plain, options);
  CHECK(kept() == 3);
  // Where nothing is rounded otherwise it is the same code.
  cpu::compile_object({squares()}, host, options);
  CHECK(kept() == 4);
  options.strict = true;
  cpu::compile_object({times(2), squares()}, host, options);
  CHECK(kept() == 5);
  options.address_sanitizer = true;
  cpu::compile_object({times(2)}, host, options);
  CHECK(kept() == 6);
}

TEST_CASE("what runs is what was kept", "[unit]") {
  const test::TemporaryFolder folder;
  const auto files = std::make_shared<KeptFiles>(folder.path(), "test/1");
  const cpu::Target host = cpu::host_target();
  const auto run = [&] {
    vantage::Tensor x(kFloat32, {37}), y(kFloat32, {37});
    x.set_number(0, 5);
    const DLTensor in = x.dl(), out = y.dl();
    cpu::jit(times(2), host, {.kept = files})({&in, &out});
    return y.number(0);
  };
  CHECK(run() == 11);
  CHECK(run() == 11);
  // Another function's under this one's key.
  const std::vector<std::string> keys = keys_in(folder.path());
  REQUIRE(keys.size() == 1);
  files->keep(keys.front(), cpu::compile_object({times(3)}, host).codes.front());
  CHECK(run() == 16);
}

}  // namespace vantage::test::backend_cpu_kept_code_test
