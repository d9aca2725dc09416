// `vantage serve` in a process of its own, and a client of it.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/temporary.h"
#include "driver/device/accelerator.h"

namespace vantage::bench {

// On a free port of loopback, offering fsim:.
class ServerProcess {
 public:
  // With these options besides, and at most so many file descriptors.
  explicit ServerProcess(const std::string& options, int files = 4096);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess();

  const std::string& uri() const { return uri_; }
  // Of the server and of the processes of its sessions.
  double memory_mb() const;

 private:
  std::string line();

  struct Close {
    void operator()(FILE* pipe) const { ::pclose(pipe); }
  };
  TemporaryDirectory folder_;
  std::unique_ptr<FILE, Close> pipe_;
  pid_t pid_ = 0;
  std::string uri_;
};

// A file with identities and their tokens, one a line, that its owner alone can read.
class TokenFile {
 public:
  explicit TokenFile(const std::string& lines);
  std::string path() const { return (folder_.path() / "tokens").string(); }

 private:
  TemporaryDirectory folder_;
};

// A small program with tensors that stay on the device; or one that computes for a tenth of a second.
class Client {
 public:
  explicit Client(const std::string& uri, bool computes = false);

  void set(std::byte value) { in_.write(std::vector<std::byte>(64, value)); }
  void launch();
  bool holds(std::byte value);
  driver::Accelerator& device() { return *device_; }

 private:
  std::unique_ptr<driver::Accelerator> device_;
  driver::Buffer in_, out_;
  std::unique_ptr<driver::LoadedProgram> program_;
};

}  // namespace vantage::bench
