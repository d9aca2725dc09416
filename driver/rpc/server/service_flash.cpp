#include "driver/rpc/server/service.h"

#include "base/error.h"
#include "base/sha256.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/server/teller.h"

namespace vantage::rpc {

using grpc::ServerContext;
using grpc::Status;

Status Service::Flash(ServerContext* call, grpc::ServerReaderWriter<v1::FlashEvent, v1::FlashRequest>* stream) {
  return guarded(*call, "Flash", [&](const Caller& caller) {
    // A bitstream is held in memory, and the call has a thread: there is one at a time.
    if (flashing_.test_and_set()) throw QuotaError("another client is flashing; try again later");
    struct Done {
      std::atomic_flag& flashing;
      ~Done() { flashing.clear(); }
    } const done{flashing_};
    v1::FlashRequest request;
    StreamWatch::Stream sent(streams_, *call);
    const auto next = [&] { return sent.wait([&] { return stream->Read(&request); }); };
    if (!next()) {
      fail("a bitstream begins with a message that says what it is; none came");
    }
    const Offer& offer = device(request.device()).offer;
    if (!offer.flash) {
      fail("the device '{}' cannot be flashed from here; a server of a board allows it with --allow-flash", offer.name);
    }
    boards::FlashJob job{.name = request.name(),
                         .bitstream = {},
                         .config_json = request.config_json(),
                         .register_map = request.register_map(),
                         .clock_mhz = request.clock_mhz(),
                         .force = request.force()};
    do {
      sent.moved(request.data().size());
      job.bitstream += request.data();
      if (job.bitstream.size() > kLargestMessage) {
        throw QuotaError(fmt::format("a bitstream of more than {} bytes is refused", kLargestMessage));
      }
    } while (next());
    greet(*call);
    parts_.audit.add("flash", {{"who", caller.who},
                               {"peer", caller.peer},
                               {"device", offer.name},
                               {"name", job.name},
                               {"sha256", sha256(job.bitstream)}});
    log_(fmt::format("{} {} flashes {} of {} bytes on {}", caller.peer, caller.who, job.name, job.bitstream.size(),
                     offer.name));
    Teller client([&](const std::string& step) {
      v1::FlashEvent event;
      event.set_step(step);
      StreamWatch::Stream told(streams_, *call);
      return told.wait([&] { return stream->Write(event); });
    });
    const auto told = [&](const std::string& step) {
      log_(fmt::format("{} flashing: {}", caller.peer, step));
      client.add(step);
    };
    offer.flash(job, told, closing_.get_token());
  });
}

}  // namespace vantage::rpc
