#include "bench/served.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <csignal>
#include <fstream>

#include "base/error.h"
#include "base/json.h"
#include "driver/open/open.h"
#include "hw/program/assembly.h"

namespace vantage::bench {

namespace {

const isa::Config kConfig = isa::Config::vta_default();

double resident_mb(pid_t pid) {
  std::ifstream status(fmt::format("/proc/{}/status", pid));
  for (std::string text; std::getline(status, text);) {
    if (text.starts_with("VmRSS:")) return std::stod(text.substr(6)) / 1024;
  }
  return 0;  // it has ended
}

Program program(bool computes) {
  return assemble(".config " + kConfig.to_json().dump() + "\n.tensor in acc 1 input\n.tensor out out 1 output\n" +
                      (computes ? "gemm uop=0:32 out=1024 in=512 dst=0,0 src=0,0 wgt=0,0\n" : "") +
                      "load.acc sram=0 dram=in+0 y=1 x=1 stride=1 push=next\n"
                      "store.out sram=0 dram=out+0 y=1 x=1 stride=1 pop=prev push=prev\n"
                      "finish pop=next\n",
                  "copy");
}

}  // namespace

ServerProcess::ServerProcess(const std::string& options, int files) {
  const std::string command = fmt::format(
      "ulimit -n {}; VANTAGE_CACHE_DIR={} exec {} serve --device fsim: --listen 127.0.0.1:0 --quiet {} & echo $!; wait",
      files, folder_.path().string(), VANTAGE_CLI, options);
  pipe_.reset(::popen(command.c_str(), "r"));
  if (pipe_ == nullptr) throw InternalError("the server cannot be started");
  pid_ = std::stoi(line());
  uri_ = line();
}

ServerProcess::~ServerProcess() {
  ::kill(pid_, SIGTERM);
}

double ServerProcess::memory_mb() const {
  double memory = resident_mb(pid_);
  if (memory == 0) throw InternalError("the server is gone");
  std::error_code gone;
  for (std::filesystem::directory_iterator task(fmt::format("/proc/{}/task", pid_), gone), end; !gone && task != end;
       task.increment(gone)) {
    std::ifstream children(task->path() / "children");
    for (pid_t child = 0; children >> child;) memory += resident_mb(child);
  }
  return memory;
}

std::string ServerProcess::line() {
  std::array<char, 256> text{};
  if (std::fgets(text.data(), static_cast<int>(text.size()), pipe_.get()) == nullptr) {
    throw InternalError("the server said nothing");
  }
  std::string result(text.data());
  result.resize(result.find_last_not_of("\r\n") + 1);
  return result;
}

TokenFile::TokenFile(const std::string& lines) {
  const mode_t before = ::umask(077);
  std::ofstream(path()) << lines;
  ::umask(before);
}

Client::Client(const std::string& uri, bool computes)
    : device_(driver::open_accelerator(uri, kConfig)),
      in_(device_->allocate(Bytes(64))),
      out_(device_->allocate(Bytes(16))),
      program_(device_->load(program(computes), {{"in", &in_}, {"out", &out_}})) {}

void Client::launch() {
  const auto result = program_->run();
  if (!result.ok() || result.counters.out_store_nbytes != 16) throw InternalError("a launch went wrong");
}

bool Client::holds(std::byte value) {
  std::vector<std::byte> got(16);
  out_.read(got);
  return got == std::vector<std::byte>(16, value);
}

}  // namespace vantage::bench
