// A session's code on this machine's processor: libraries, memory, and functions bound to it, in this process.
//
// What a library does nobody knows: this belongs into a process of its own, which is confined before the first one is
// loaded.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/processor/processor.h"
#include "driver/rpc/workspace/session_memory.h"
#include "driver/rpc/workspace/workspace.h"
#include "native/library.h"

namespace vantage::rpc {

class CodeWorkspace : public Workspace {
 public:
  // `confined`: open() takes from this process what code must not have (confine.h), for good.
  explicit CodeWorkspace(bool confined) : confined_(confined) {}

  v1::OpenReply open(const v1::OpenRequest& request, const std::function<void(const std::string&)>& progress,
                     const std::stop_token& stop) override;
  v1::WorkspaceReply call(const v1::WorkspaceRequest& request, const std::stop_token& stop) override;
  void write(Bytes address, std::span<const std::byte> bytes, const std::stop_token& stop) override;
  void read(Bytes address, std::span<std::byte> bytes, const std::stop_token& stop) override;

 private:
  // A function's arguments, and what it is once they are bound: what they describe stays where it is.
  struct Bound {
    std::vector<std::vector<int64_t>> shapes;
    std::vector<DLTensor> tensors;
    std::unique_ptr<driver::Loaded> loaded;
    std::vector<uint64_t> buffers;  // addresses, which must stay
  };

  // Throws Error when a function needs the buffer at this address.
  void require_unused(uint64_t address) const;
  v1::LoadLibraryReply load_library(const v1::LoadLibraryRequest& request);
  v1::LoadReply bind(const v1::BindRequest& request);
  driver::Loaded& loaded(uint64_t id);

  const bool confined_;
  v1::WorkspaceLimits limits_;
  std::unique_ptr<driver::Processor> processor_;  // null before open()
  SessionMemory buffers_;
  std::vector<native::Library> libraries_;
  std::map<uint64_t, std::unique_ptr<Bound>> bound_;  // by what bind() gave
  uint64_t next_ = 1;
};

}  // namespace vantage::rpc
