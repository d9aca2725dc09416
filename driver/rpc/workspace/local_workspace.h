// A session's device, memory and programs in this process.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "driver/device/kind.h"
#include "driver/rpc/workspace/session_memory.h"
#include "driver/rpc/workspace/workspace.h"

namespace vantage::rpc {

class LocalWorkspace : public Workspace {
 public:
  // On devices of these kinds, of which a request names one by its scheme.
  explicit LocalWorkspace(std::vector<driver::AcceleratorKind> kinds) : kinds_(std::move(kinds)) {}

  v1::OpenReply open(const v1::OpenRequest& request, const std::function<void(const std::string&)>& progress,
                     const std::stop_token& stop) override;
  v1::WorkspaceReply call(const v1::WorkspaceRequest& request, const std::stop_token& stop) override;
  void write(Bytes address, std::span<const std::byte> bytes, const std::stop_token& stop) override;
  void read(Bytes address, std::span<std::byte> bytes, const std::stop_token& stop) override;

 private:
  struct Loaded {
    std::unique_ptr<driver::LoadedProgram> program;
    std::vector<uint64_t> tensors;  // addresses of its buffers, which must stay
    Bytes placed;                   // its instructions and micro-ops
  };

  v1::LoadReply load(const v1::LoadRequest& request, const std::stop_token& stop);
  void unload(uint64_t id);
  v1::LaunchReply launch(const v1::LaunchRequest& request, const std::stop_token& stop);
  v1::TimeReply time(const v1::TimeRequest& request, const std::stop_token& stop);
  v1::ReadMicroOpsReply micro_ops() const;

  Loaded& loaded(uint64_t id);
  // What was placed for programs, beside buffers.
  Bytes placed() const;
  // Throws Error when a program needs the buffer at this address.
  void require_unused(uint64_t address) const;
  // Within the limit of steps.
  driver::RunOptions limited(const v1::RunOptions& options, const std::stop_token& stop) const;

  const std::vector<driver::AcceleratorKind> kinds_;
  v1::WorkspaceLimits limits_;
  std::unique_ptr<driver::Accelerator> device_;  // null before open()
  SessionMemory buffers_;
  std::map<uint64_t, Loaded> programs_;  // by what load() gave
  uint64_t next_program_ = 1;
};

}  // namespace vantage::rpc
