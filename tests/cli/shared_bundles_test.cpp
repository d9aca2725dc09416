// Replays recorded programs: the project's own always, and those of another VTA compiler where they are at hand.
#include <fmt/format.h>

#include "base/file.h"
#include "driver/device/loaded_program.h"
#include "driver/open/open.h"
#include "driver/runtime/replay.h"
#include "hw/program/assembly.h"
#include "hw/program/recover.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"
#include "workload/run_program.h"

namespace vantage::test::cli_shared_bundles_test {

using namespace vantage;

namespace {

size_t replay_all(const std::filesystem::path& folder) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const Bundle bundle = load_bundle(entry.path());
    const auto device = driver::open_accelerator("fsim:", bundle.config);
    const auto result = driver::replay(*device, bundle);
    INFO(bundle.name << ": " << result.mismatch.value_or(""));
    CHECK(result.ok());
    CHECK_FALSE(has_errors(bundle.verify()));
    ++count;
  }
  return count;
}

std::string recorded_output(const Bundle& bundle, Bytes address, size_t size) {
  const Bundle after{bundle.name, bundle.config, {}, 0, bundle.expect, {}, {}};
  return after.initial_bytes(address, Bytes(size));
}

// Of each bundle, the program that it gives back, loaded elsewhere with the tensors that it recorded.
size_t run_all_programs(const std::filesystem::path& folder) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const Bundle bundle = load_bundle(entry.path());
    INFO(bundle.name);
    const RecoveredProgram recovered = recover_program(bundle);
    const Program program = assemble(disassemble(recovered.program), bundle.name);
    CHECK(program == recovered.program);
    driver::require_relocated(program);
    std::map<std::string, std::string> inputs;
    std::map<std::string, std::span<const std::byte>> bytes;
    for (uint32_t i = 0; i < program.tensors.size(); ++i) {
      if (program.tensors[i].role != TensorRole::kInput) continue;
      std::string& text = inputs[program.tensors[i].name];
      text = bundle.initial_bytes(recovered.tensors[i], program.symbol_size(i));
      bytes[program.tensors[i].name] = as_bytes(text);
    }
    const auto device = driver::open_accelerator("fsim:", bundle.config);
    const auto run = workload::run_program(*device, program, bundle.name, bytes);
    for (const auto& [name, got] : run.outputs) {
      CHECK(as_text(got) == recorded_output(bundle, recovered.tensors[program.tensor_index(name)], got.size()));
    }
    CHECK_FALSE(run.outputs.empty());
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("programs that bundles give back compute what was recorded", "[golden]") {
  CHECK(run_all_programs(test::source_dir() / "tests" / "data" / "bundles") >= 5);
}

TEST_CASE("programs that bundles of another VTA compiler give back compute what was recorded", "[golden]") {
  const auto folder = test::source_dir() / ".." / "shared" / "bundles";
  if (!std::filesystem::is_directory(folder)) {
    WARN("SKIPPED: no folder " << folder << "; only the project's own bundles were run");
    return;
  }
  CHECK(run_all_programs(folder) >= 30);
}

TEST_CASE("the project's own recorded bundles replay", "[golden]") {
  CHECK(replay_all(test::source_dir() / "tests" / "data" / "bundles") >= 5);
}

TEST_CASE("bundles recorded from another VTA compiler replay", "[golden]") {
  const auto folder = test::source_dir() / ".." / "shared" / "bundles";
  if (!std::filesystem::is_directory(folder)) {
    WARN("SKIPPED: no folder " << folder << "; only the project's own bundles were replayed");
    return;
  }
  CHECK(replay_all(folder) >= 30);
}

}  // namespace vantage::test::cli_shared_bundles_test
