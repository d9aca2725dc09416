#include "base/error.h"
#include "driver/cuda/gpu_messages.h"
#include "driver/cuda/local_gpu.h"
#include "driver/cuda/worker_gpu.h"

namespace vantage::driver {

namespace {

FieldWriter reply_of(GpuReply kind) {
  FieldWriter fields;
  fields.number(static_cast<uint64_t>(kind));
  return fields;
}

class GpuServer {
 public:
  explicit GpuServer(int socket) : socket_(socket) {}

  void serve() {
    std::string head, body;
    while (socket_.receive(head, body)) {
      try {
        FieldReader fields(head);
        std::string answer;
        const FieldWriter reply = work(fields, std::as_bytes(std::span(body)), answer);
        if (!socket_.send(reply, std::as_bytes(std::span(answer)))) return;
      } catch (const GpuFault& fault) {
        // The end of this process is what makes the GPU usable again.
        static_cast<void>(socket_.send(reply_of(GpuReply::kFault).text(fault.what())));
        return;
      } catch (const ToolError& error) {
        if (!socket_.send(reply_of(GpuReply::kToolError).text(error.what()).text(error.output()))) return;
      } catch (const std::exception& error) {
        if (!socket_.send(reply_of(GpuReply::kError).text(error.what()))) return;
      }
    }
  }

 private:
  FieldWriter work(FieldReader& fields, std::span<const std::byte> body, std::string& answer) {
    FieldWriter reply = reply_of(GpuReply::kDone);
    switch (static_cast<GpuRequest>(fields.number())) {
      case GpuRequest::kOpen: {
        const std::string libcuda = fields.text();
        const auto number = static_cast<int>(fields.number());
        gpu_ = open_local_gpu(libcuda, number, fields.text());
        add_info(reply, gpu_->info());
        break;
      }
      case GpuRequest::kAllocate: reply.number(gpu_->allocate(Bytes(fields.number()))); break;
      case GpuRequest::kRelease: gpu_->release(fields.number()); break;
      case GpuRequest::kWrite: gpu_->write(fields.number(), body); break;
      case GpuRequest::kRead: {
        const uint64_t address = fields.number();
        answer.resize(fields.number());
        gpu_->read(address, std::as_writable_bytes(std::span(answer)));
        break;
      }
      case GpuRequest::kBind: bind(take_program(fields), fields, reply); break;
      case GpuRequest::kBindCall: bind(take_call(fields), fields, reply); break;
      case GpuRequest::kJoin: {
        const Gpu::Bound bound = gpu_->join(take_joined(fields));
        reply.number(bound.number).text(bound.code);
        break;
      }
      case GpuRequest::kUnbind: gpu_->unbind(fields.number()); break;
      case GpuRequest::kRun: reply.real(gpu_->run(fields.number(), {})); break;
      case GpuRequest::kTime: {
        const uint64_t number = fields.number();
        TimeOptions options;
        options.number = static_cast<int>(fields.number());
        options.repeat = static_cast<int>(fields.number());
        options.min_ms = fields.real();
        const Timing timing = gpu_->time(number, options, {});
        reply.number(static_cast<uint64_t>(timing.number)).number(timing.samples.size());
        for (const double sample : timing.samples) reply.real(sample);
        break;
      }
    }
    return reply;
  }

  template <typename Work>
  void bind(const Work& work, FieldReader& fields, FieldWriter& reply) {
    std::vector<uint64_t> tensors(fields.number());
    for (uint64_t& address : tensors) address = fields.number();
    const Gpu::Bound bound = gpu_->bind(work, tensors);
    reply.number(bound.number).text(bound.code);
  }

  const GpuSocket socket_;
  std::unique_ptr<Gpu> gpu_;
};

}  // namespace

void serve_gpu(int socket) {
  GpuServer(socket).serve();
}

}  // namespace vantage::driver
