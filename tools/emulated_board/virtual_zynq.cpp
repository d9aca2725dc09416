#include "tools/emulated_board/virtual_zynq.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/ranges.h>

#include <atomic>
#include <cerrno>
#include <deque>
#include <fstream>
#include <thread>

#include "base/cache.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/one_line.h"
#include "base/process.h"
#include "base/temporary.h"
#include "driver/boards/system.h"
#include "sim/memory/dram.h"
#include "tools/emulated_board/emulated_bitstream.h"
#include "tools/emulated_board/fabric_server.h"
#include "tools/emulated_board/verilated_core.h"

extern char** environ;

namespace vantage::emulated {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPart = "7z020clg484";
constexpr uint32_t kIdcode = 0x03727093;
constexpr uint32_t kRegisters = 0x43c00000;
constexpr uint32_t kWindow = 0x10000;
constexpr int kGuestPort = 9091;
constexpr Bytes kMemory{uint64_t{2} << 30};          // as boot.sh has it
constexpr Bytes kLinuxMemory{uint64_t{512} << 20};   // the part of it that is touched, mem= in boot.sh
constexpr Bytes kBesideMemory{uint64_t{300} << 20};  // in the temporary folder: the tool's package, the file system
constexpr size_t kLastLines = 8;                     // of the console, for who does not see it
constexpr const char* kServed = "rpc://";  // how the line begins with which the guest's server says that it listens
constexpr const char* kEnd = "GUEST-END status=";

// What the guest does once it is up.
constexpr const char* kStartScript = R"(#!/bin/sh
cd /opt/vantage || exit 1
./vantage flash --board virtual-zynq --config config.json --force emulated.bit || exit 2
exec ./vantage serve --device pynq:virtual-zynq,cpu: --allow-code --config config.json --listen 0.0.0.0:9091 --token-file token
)";

// What lies on top of the board's root file system.
void fill_overlay(const VirtualZynqOptions& options, const fs::path& overlay) {
  const fs::path package = options.project / "build" / "armhf" / "package";
  if (!fs::exists(package / "vantage")) {
    fail("{}: the tool for the board is not there; make it with ./vantage cross armhf", package.string());
  }
  const fs::path tool = overlay / "opt" / "vantage";
  fs::create_directories(tool.parent_path());
  fs::copy(package, tool, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  write_file(tool / "emulated.bit", emulated_bitstream("emulated", kPart, kIdcode));
  write_file(tool / "config.json", json_text(options.config.to_json()) + "\n");
  write_file(tool / "token", std::string(VirtualZynq::kToken) + "\n");
  const fs::path start = overlay / "etc" / "vantage" / "start";
  fs::create_directories(start.parent_path());
  write_file(start, kStartScript);
  fs::permissions(start, fs::perms::owner_all);
}

std::string script(const VirtualZynqOptions& options, const char* name) {
  return (options.project / "tools" / "emulated_board" / "virtual_zynq" / name).string();
}

// Minutes, the first time: what it says of its stages goes to where this program's errors go.
void build(const VirtualZynqOptions& options) {
  const int status =
      run_process({script(options, "build.sh"), options.cache.string()}, options.cache, "/dev/stderr", "bash");
  if (status != 0) fail("Linux and QEMU could not be built, see above (status {})", status);
}

}  // namespace

struct VirtualZynq::Parts {
  explicit Parts(const VirtualZynqOptions& o) : options(o) {}

  VirtualZynqOptions options;
  TemporaryDirectory folder;
  std::unique_ptr<sim::Dram> memory;
  std::unique_ptr<Fabric> fabric;
  std::unique_ptr<FabricServer> server;
  std::atomic<pid_t> process = -1;
  std::ifstream console;
  std::string line;               // of the console, as far as it has come
  std::deque<std::string> lines;  // the last whole ones
  int status = -1;                // of the guest's last program
  int ended = 0;                  // how QEMU did, as waitpid() has it
  std::jthread pl;                // last: it ends first

  void boot();
  // Reads what the console says, until `wanted` is said or the board is off. Whether it was said.
  bool follow(const std::string& wanted);
  bool is_off();
};

void VirtualZynq::Parts::boot() {
  const std::vector<std::string> words = {script(options, "boot.sh"),
                                          options.cache.string(),
                                          (folder.path() / "initramfs").string(),
                                          (folder.path() / "pl").string(),
                                          (folder.path() / "memory").string(),
                                          "--forward",
                                          fmt::format("{}:{}", options.port, kGuestPort)};
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const fs::path log = folder.path() / "console";
  write_file(log, "");
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_APPEND, 0);
  ::posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  // Not in this process's group: an interrupt from the terminal is for this one to pass on.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  // Nor with the signals that it blocks.
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  pid_t child = -1;
  const int error = ::posix_spawn(&child, argv[0], &files, &attributes, argv.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) fail("{} cannot be started: {}", words.front(), boards::text_of(error));
  process = child;
  console.open(log);
}

bool VirtualZynq::Parts::is_off() {
  const pid_t child = process;
  if (child < 0 || ::waitpid(child, &ended, WNOHANG) == child) process = -1;
  return process < 0;
}

bool VirtualZynq::Parts::follow(const std::string& wanted) {
  for (bool last = false;; std::this_thread::sleep_for(std::chrono::milliseconds(50))) {
    const bool off = is_off();  // looked at before the rest is read
    for (char c = 0; console.get(c);) {
      if (c == '\r') continue;
      if (c != '\n') {
        line += c;
        continue;
      }
      const std::string whole = std::exchange(line, "");
      options.console(whole);
      lines.push_back(one_line(whole));
      if (lines.size() > kLastLines) lines.pop_front();
      if (whole.starts_with(kEnd)) status = std::atoi(whole.c_str() + std::string_view(kEnd).size());
      if (!wanted.empty() && whole.starts_with(wanted)) return true;
    }
    console.clear();
    if (last) return false;
    last = off;
  }
}

void VirtualZynq::require_possible(const VirtualZynqOptions& options) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) fail("no socket is to be had: {}", boards::text_of(errno));
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(options.port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int taken = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
  ::close(socket);
  if (taken != 0) fail("127.0.0.1:{}: {}; give another with --port", options.port, boards::text_of(taken));

  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  if (error) fail("$TMPDIR, or /tmp, is no folder to work in: {}", error.message());
  const auto space = fs::space(folder, error);
  if (error) fail("{}: {}", folder.string(), error.message());
  const Bytes room(space.available), wanted = kLinuxMemory + kBesideMemory;
  if (room < wanted) {
    fail("{} has {} MB left, and the board may take {} MB there; set TMPDIR to a folder with more", folder.string(),
         room.count() >> 20, wanted.count() >> 20);
  }
}

VirtualZynq::VirtualZynq(const VirtualZynqOptions& options) : parts_(std::make_unique<Parts>(options)) {
  Parts& p = *parts_;
  make_cache_folder(options.cache);
  options.progress("building Linux and QEMU, unless they are there: minutes, and gigabytes");
  build(options);
  options.progress("making the board's file system");
  fill_overlay(options, p.folder.path() / "overlay");
  run_tool({script(options, "image.sh"), options.cache.string(), (p.folder.path() / "overlay").string(),
            (p.folder.path() / "initramfs").string()},
           options.cache, "bash");
  fs::remove_all(p.folder.path() / "overlay");

  const fs::path memory = p.folder.path() / "memory";
  write_file(memory, "");
  fs::resize_file(memory, kMemory.count());
  p.memory = std::make_unique<sim::Dram>(memory, kMemory);
  p.fabric = verilated_core(options.config, options.model.value(), {}, *p.memory);
  p.server = std::make_unique<FabricServer>(p.folder.path() / "pl");
  p.pl = std::jthread([&p, this](const std::stop_token& stop_token) {
    try {
      p.server->serve(*p.fabric, kRegisters, kWindow, stop_token);
    } catch (const std::exception& error) {
      p.options.console(fmt::format("the FPGA's side has failed: {}", error.what()));
      stop();
    }
  });
  options.progress("the board starts");
  p.boot();
}

VirtualZynq::~VirtualZynq() {
  stop();
  wait();
}

void VirtualZynq::wait_until_served() {
  if (parts_->follow(kServed)) return;
  const Parts& p = *parts_;
  const std::string how = WIFSIGNALED(p.ended) ? fmt::format("QEMU was ended by signal {}", WTERMSIG(p.ended))
                                               : fmt::format("its last program's status was {}", p.status);
  fail("the virtual board went off before its server answered: {}; the end of what its console said:\n{}", how,
       fmt::join(p.lines, "\n"));
}

int VirtualZynq::wait() {
  parts_->follow("");
  return parts_->status;
}

void VirtualZynq::stop() {
  if (const pid_t child = parts_->process; child > 0) ::kill(child, SIGTERM);
}

}  // namespace vantage::emulated
