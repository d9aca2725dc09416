#include "driver/rpc/client/remote_accelerator.h"

#include "base/json.h"
#include "driver/rpc/client/remote_session.h"
#include "driver/rpc/protocol/messages.h"
#include "hw/isa/codec.h"

namespace vantage::rpc {

using driver::Buffer;
using driver::ProgramImage;
using driver::RunOptions;
using driver::RunResult;

namespace {

class RemoteProgram : public driver::LoadedProgram {
 public:
  RemoteProgram(Connection& connection, const v1::LoadReply& loaded)
      : loaded_(connection, loaded.program()), image_(from_message(loaded.image())) {
    for (const v1::Region& region : loaded.regions()) {
      regions_.push_back({region.name(), Bytes(region.address()), Bytes(region.bytes()), region.is_output()});
    }
  }

  RunResult run_once(const RunOptions& options) override { return loaded_.run(options); }
  driver::Timing time_runs(const driver::TimeOptions& time, const RunOptions& options) override {
    return loaded_.time(time, options);
  }

  ProgramImage image() const override { return image_; }
  std::vector<driver::Region> regions() const override { return regions_; }

 private:
  RemoteLoaded loaded_;
  ProgramImage image_;
  std::vector<driver::Region> regions_;
};

v1::AttachRequest attach_request(const isa::Config& config, const driver::AcceleratorOptions& options) {
  v1::AttachRequest request;
  request.set_config_json(config.to_json().dump());
  if (options.memory) request.set_memory_json(options.memory->to_json().dump());
  return request;
}

class RemoteAccelerator : public driver::Accelerator {
 public:
  RemoteAccelerator(const std::string& uri, const isa::Config& config, const driver::AcceleratorOptions& options)
      : config_(config), session_(uri, attach_request(config, options), options.progress, options.log) {}

  const std::string& uri() const override { return session_.uri(); }
  const isa::Config& config() const override { return config_; }
  Bytes memory_size() const override { return Bytes(session_.opened().memory_bytes()); }

  bool runs_images() const override { return !session_.opened().places_programs(); }

  void write(Bytes address, std::span<const std::byte> bytes) override { session_.write(address, bytes); }
  void write_constant(Bytes address, std::span<const std::byte> bytes) override {
    session_.write_constant(address, bytes);
  }
  void read(Bytes address, std::span<std::byte> bytes) const override { session_.read(address, bytes); }

  RunResult run(const ProgramImage& image, const RunOptions& options) override {
    v1::LaunchRequest request;
    *request.mutable_image() = to_message(image);
    return launch(session_.connection(), std::move(request), options);
  }

  std::vector<isa::MicroOp> micro_ops() const override {
    const auto reply = session_.connection().call(&v1::Devices::Stub::ReadMicroOps, v1::ReadMicroOpsRequest());
    const isa::Codec codec(config_);
    std::vector<isa::MicroOp> uops;
    for (const uint32_t word : reply.words()) uops.push_back(codec.decode_uop(word));
    return uops;
  }

  void finish_trace() override {}
  void reset() override { session_.connection().call(&v1::Devices::Stub::Reset, v1::ResetRequest()); }
  void clear_scratchpads() override {
    v1::ResetRequest request;
    request.set_scratchpads_only(true);
    session_.connection().call(&v1::Devices::Stub::Reset, request);
  }

 protected:
  std::unique_ptr<driver::LoadedProgram> load_in_order(const Program& program,
                                                       const std::vector<const Buffer*>& tensors,
                                                       const std::stop_token&) override {
    v1::LoadRequest request;
    request.set_program(serialize(program));
    for (size_t i = 0; i < tensors.size(); ++i) {
      v1::TensorBuffer& tensor = *request.add_tensors();
      tensor.set_name(program.tensors[i].name);
      tensor.set_address(tensors[i]->address().count());
    }
    // It waits for its turn, however long that takes.
    const auto loaded = session_.connection().call(&v1::Devices::Stub::Load, request, {});
    return std::make_unique<RemoteProgram>(session_.connection(), *loaded);
  }
  Bytes allocate_bytes(Bytes size) override { return session_.allocate(size); }
  void release_bytes(Bytes address, Bytes) override { session_.release(address); }

 private:
  isa::Config config_;
  mutable RemoteSession session_;
};

driver::AcceleratorKind remote(const std::string& scheme, const std::string& meaning) {
  return {.scheme = scheme,
          .rest = "//HOST:PORT[/DEVICE]",
          .meaning = meaning,
          .has_memory = true,
          .open = [](const std::string& uri, const isa::Config& config, const driver::AcceleratorOptions& options) {
            return std::make_unique<RemoteAccelerator>(uri, config, options);
          }};
}

}  // namespace

driver::AcceleratorKind remote_accelerator() {
  return remote("rpc", "a device of another machine that runs `vantage serve`");
}

driver::AcceleratorKind remote_accelerator_over_tls() {
  return remote("rpcs", "the same over TLS");
}

}  // namespace vantage::rpc
