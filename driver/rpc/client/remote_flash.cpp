#include "driver/rpc/client/remote_flash.h"

#include <algorithm>

#include "driver/rpc/client/connection.h"
#include "driver/rpc/protocol/quota.h"

namespace vantage::rpc {

void flash_remotely(const std::string& uri, const boards::FlashJob& job,
                    const std::function<void(const std::string&)>& step) {
  Connection connection{driver::ServerAddress(uri)};
  // So that the server knows who sends so much before it comes.
  connection.call(&v1::Devices::Stub::List, v1::ListRequest());
  const auto context = connection.context();
  const auto stream = connection.stub().Flash(context.get());
  v1::FlashRequest request;
  request.set_device(connection.address().device);
  request.set_name(job.name);
  request.set_config_json(job.config_json);
  request.set_register_map(job.register_map);
  request.set_clock_mhz(job.clock_mhz);
  request.set_force(job.force);
  // A server that refuses says so at once; then the rest is not wanted.
  bool wanted = true;
  for (size_t at = 0; wanted && (at == 0 || at < job.bitstream.size()); at += kPieceBytes) {
    request.set_data(job.bitstream.substr(at, kPieceBytes));
    wanted = stream->Write(request);
    request = {};
  }
  stream->WritesDone();
  v1::FlashEvent event;
  while (stream->Read(&event)) step(event.step());
  connection.require(stream->Finish());
}

}  // namespace vantage::rpc
