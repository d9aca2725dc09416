// A session on a server's device: its memory, and what is loaded there.
//
// Thread safety: as an accelerator's.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/device/loaded.h"
#include "driver/rpc/client/connection.h"

namespace vantage::rpc {

class SessionStream;

class RemoteSession {
 public:
  // `progress` is told what the server begins when opening takes seconds, `log` what it has to say later. Throws Error
  // with what the server said.
  RemoteSession(const std::string& uri, v1::AttachRequest request,
                const std::function<void(const std::string&)>& progress, std::function<void(const std::string&)> log);
  RemoteSession(const RemoteSession&) = delete;
  RemoteSession& operator=(const RemoteSession&) = delete;
  ~RemoteSession();  // which ends it

  Connection& connection() { return connection_; }
  const std::string& uri() const { return connection_.address().uri; }
  const v1::Opened& opened() const;

  Bytes allocate(Bytes size);
  void release(Bytes address);
  void write(Bytes address, std::span<const std::byte> bytes);
  // By its hash, if the server has it.
  void write_constant(Bytes address, std::span<const std::byte> bytes);
  void read(Bytes address, std::span<std::byte> bytes);

 private:
  bool send_content(const std::string& hash, std::span<const std::byte> bytes);
  grpc::Status put_content(const std::string& hash, std::span<const std::byte> bytes, uint64_t offset);

  Connection connection_;
  std::unique_ptr<SessionStream> stream_;
};

driver::RunResult launch(Connection& connection, v1::LaunchRequest request, const driver::RunOptions& options);

// Something that is loaded in a session, by its number; unloaded with the object.
class RemoteLoaded {
 public:
  RemoteLoaded(Connection& connection, uint64_t id) : connection_(connection), id_(id) {}
  RemoteLoaded(const RemoteLoaded&) = delete;
  RemoteLoaded& operator=(const RemoteLoaded&) = delete;
  ~RemoteLoaded();

  driver::RunResult run(const driver::RunOptions& options);
  // As the server's clock sees it.
  driver::Timing time(const driver::TimeOptions& time, const driver::RunOptions& options);

 private:
  Connection& connection_;
  const uint64_t id_;
};

}  // namespace vantage::rpc
