// The command-line workloads as whole processes: CPU time, time to the first result, memory.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/temporary.h"
#include "bench/targets.h"
#include "hw/isa/config.h"

extern char** environ;

namespace vantage::bench {
namespace {

struct Process {
  bool ok;  // exit status 0 and the expected line printed
  double wall_s;
  double cpu_s;      // user and system
  double memory_mb;  // largest resident set
};

Process run(std::vector<std::string> words, const std::string& expected) {
  char path[] = "/tmp/vantage-bench.XXXXXX";
  const int out = ::mkstemp(path);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  pid_t child = 0;
  const auto start = std::chrono::steady_clock::now();
  const bool started = ::posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0;
  int status = -1;
  rusage usage{};
  if (started) ::wait4(child, &status, 0, &usage);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  posix_spawn_file_actions_destroy(&actions);
  ::close(out);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  ::unlink(path);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return {started && status == 0 && text.str().find(expected) != std::string::npos, wall.count(),
          seconds(usage.ru_utime) + seconds(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024};
}

struct Best {
  double wall_s = 1e9, cpu_s = 1e9, memory_mb = 0;
};

void workload(benchmark::State& state, const std::vector<std::string>& command, const std::string& expected,
              Best& best) {
  for (auto _ : state) {
    const Process process = run(command, expected);
    if (!process.ok) {
      state.SkipWithError("the command failed or printed something else");
      return;
    }
    state.SetIterationTime(process.wall_s);
    best.wall_s = std::min(best.wall_s, process.wall_s);
    best.cpu_s = std::min(best.cpu_s, process.cpu_s);
    best.memory_mb = std::max(best.memory_mb, process.memory_mb);
  }
  state.counters["cpu_s"] = best.cpu_s;
  state.counters["memory_mb"] = best.memory_mb;
}

// A program file of a million loads, each of a tile of one tensor: made by the tool, since what this process takes at
// its peak would be counted as its children's.
std::string large_program(const std::filesystem::path& folder) {
  const std::string text = folder / "large.s", program = folder / "large.vta";
  std::ofstream file(text);
  file << ".config " << isa::Config::vta_default().to_json().dump() << "\n.tensor A inp 1000000 input\n";
  for (int i = 0; i < 1'000'000; ++i) file << "load.inp sram=0 dram=A+" << i << " y=1 x=1 stride=1\n";
  file << "finish\n";
  file.close();
  run({VANTAGE_CLI, "asm", text, "-o", program}, "");
  return program;
}

}  // namespace
}  // namespace vantage::bench

int main(int argc, char** argv) {
  using namespace vantage::bench;
  Best gemm, mlp, direct, launched, verify;
  const vantage::TemporaryDirectory folder;
  const std::string large = large_program(folder.path());
  const auto add = [](const char* name, std::vector<std::string> command, std::string expected, Best& best) {
    benchmark::RegisterBenchmark(name,
                                 [=, &best](benchmark::State& state) { workload(state, command, expected, best); })
        ->UseManualTime()
        ->Iterations(5)
        ->Unit(benchmark::kMillisecond);
  };
  add("run_gemm", {VANTAGE_CLI, "run", "gemm"}, "Successful matrix multiply test!", gemm);
  add("run_mlp", {VANTAGE_CLI, "run", "mlp"}, "9797 of 10000 are right.", mlp);
  add("targets_direct", {VANTAGE_CLI, "targets"}, "fsim:", direct);
  add("targets_launched", {VANTAGE_LAUNCHER, "targets"}, "fsim:", launched);
  add("verify_million", {VANTAGE_CLI, "verify", large}, "sound", verify);
  return run_benchmarks(argc, argv, [&](const RateReporter&) -> std::vector<Target> {
    return {
        {"run gemm, start to first result", 1e3 * gemm.wall_s, 50, false, "ms"},
        {"run gemm, memory", gemm.memory_mb, 200, false, "MB"},
        {"run mlp on 10,000 images, CPU", mlp.cpu_s, 2, false, "s"},
        {"run mlp, memory", mlp.memory_mb, 200, false, "MB"},
        {"1,000,000 instructions with relocations read and verified", verify.wall_s, 1, false, "s"},
        {"what the launcher adds when nothing changed", 1e3 * (launched.wall_s - direct.wall_s), 30, false, "ms"},
    };
  });
}
