#include "driver/rpc/client/remote_processor.h"

#include "base/error.h"
#include "base/tensor/dtype.h"
#include "driver/rpc/client/remote_session.h"

namespace vantage::rpc {

namespace {

class RemoteFunction final : public driver::Loaded {
 public:
  RemoteFunction(Connection& connection, uint64_t id) : loaded_(connection, id) {}

  driver::RunResult run_once(const driver::RunOptions& options) override { return loaded_.run(options); }
  driver::Timing time_runs(const driver::TimeOptions& time, const driver::RunOptions& options) override {
    return loaded_.time(time, options);
  }

 private:
  RemoteLoaded loaded_;
};

class RemoteProcessor final : public driver::FunctionDevice, private driver::Device {
 public:
  RemoteProcessor(const std::string& uri, std::function<void(const std::string&)> log)
      : session_(uri, {}, nullptr, std::move(log)) {
    if (session_.opened().processor().empty()) {
      fail(
          "target '{}': the device '{}' is an accelerator, which runs no functions; a server offers its processor with "
          "`vantage serve --device cpu: --allow-code`",
          session_.uri(), session_.opened().device());
    }
  }

  driver::Device& device() override { return *this; }
  bool shares_host_memory() const override { return false; }
  std::string_view architecture() const override { return session_.opened().processor(); }

  void load_library(const native::LibraryImage& image, const std::string&,
                    const std::vector<std::string>& functions) override {
    v1::LoadLibraryRequest request;
    request.set_manifest(image.manifest);
    request.set_code(image.code);
    const auto reply = session_.connection().call(&v1::Devices::Stub::LoadLibrary, request, {});
    for (const std::string& name : functions) functions_.emplace_back(reply->library(), name);
  }

  std::unique_ptr<driver::Loaded> load(size_t function, const std::vector<const DLTensor*>& tensors) override {
    v1::BindRequest request;
    request.set_library(functions_.at(function).first);
    request.set_function(functions_.at(function).second);
    for (const DLTensor* tensor : tensors) {
      v1::TensorArgument& argument = *request.add_tensors();
      argument.set_address(reinterpret_cast<uint64_t>(tensor->data));  // NOLINT: an address of the device's
      argument.set_dtype(name(dtype_of(tensor->dtype)));
      argument.mutable_shape()->Assign(tensor->shape, tensor->shape + tensor->ndim);
    }
    const v1::LoadReply reply = session_.connection().call(&v1::Devices::Stub::Bind, request);
    return std::make_unique<RemoteFunction>(session_.connection(), reply.program());
  }

  const std::string& uri() const override { return session_.uri(); }
  Bytes memory_size() const override { return Bytes(session_.opened().memory_bytes()); }
  void write(Bytes address, std::span<const std::byte> bytes) override { session_.write(address, bytes); }
  void write_constant(Bytes address, std::span<const std::byte> bytes) override {
    session_.write_constant(address, bytes);
  }
  void read(Bytes address, std::span<std::byte> bytes) const override { session_.read(address, bytes); }

 protected:
  Bytes allocate_bytes(Bytes size) override { return session_.allocate(size); }
  void release_bytes(Bytes address, Bytes) override { session_.release(address); }

 private:
  mutable RemoteSession session_;
  std::vector<std::pair<uint64_t, std::string>> functions_;  // library and name
};

}  // namespace

std::unique_ptr<driver::FunctionDevice> open_remote_processor(const std::string& uri,
                                                              std::function<void(const std::string&)> log) {
  return std::make_unique<RemoteProcessor>(uri, std::move(log));
}

}  // namespace vantage::rpc
