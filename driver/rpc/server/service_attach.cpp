#include "driver/rpc/server/service.h"

#include <mutex>
#include <thread>

#include "base/alarm.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/protocol/messages.h"
#include "driver/rpc/server/machine_memory.h"

namespace vantage::rpc {

using grpc::ServerContext;
using grpc::Status;

namespace {

// Of a configuration or a memory setting, as a session names them: they have some hundred.
constexpr size_t kLargestSetting = size_t{16} << 10;
// A client who waits for long is let know that there is something to wait for.
constexpr std::chrono::seconds kHeartbeat{10};

}  // namespace

void Service::hold_session(ServerContext& call, const Caller& caller, const v1::AttachRequest& request,
                           SessionTable::Slot& slot, grpc::ServerWriter<v1::SessionEvent>& events) {
  OfferedDevice& offered = device(request.device());
  for (const std::string* setting : {&request.config_json(), &request.memory_json()}) {
    if (setting->size() > kLargestSetting) {
      fail("a setting of {} bytes is refused; expected at most {}", setting->size(), kLargestSetting);
    }
  }
  if (const Bytes available = available_memory(); available < limits_.reserve) {
    throw QuotaError(
        fmt::format("the server's machine has {} bytes of memory left, too few for a session; try again "
                    "later",
                    available.count()));
  }
  StreamWatch::Stream stream(streams_, call);
  std::mutex telling;
  const auto tell = [&](const std::string& line) {
    const std::lock_guard lock(telling);
    v1::SessionEvent event;
    event.mutable_log()->set_text(line);
    stream.wait([&] { return events.Write(event); });
    stream.moved(kPieceBytes);  // a session may last, however little there is to tell
  };
  const auto session = std::make_shared<Session>(slot.key(), offered, caller.who, limits_);
  slot.fill(session);
  v1::OpenReply opened;
  {
    const Alarm heartbeat(kHeartbeat, [&]() -> std::optional<Alarm::Duration> {
      try {
        tell("");
        return kHeartbeat;
      } catch (const Error&) {
        return std::nullopt;  // the client has gone, which others see too
      }
    });
    opened = session->open(request.config_json(), request.memory_json(), by(&call), tell);
  }
  parts_.audit.add(
      "session opened",
      {{"who", caller.who}, {"peer", caller.peer}, {"session", short_key(slot.key())}, {"device", offered.offer.name}});
  ++sessions_opened_;
  struct Over {  // however it ends
    Service& service;
    const Caller& caller;
    const std::string key;
    ~Over() {
      service.log_(fmt::format("{} session {}: over", caller.peer, key));
      try {
        service.parts_.audit.add("session over", {{"who", caller.who}, {"peer", caller.peer}, {"session", key}});
      } catch (const ServerError& error) {
        service.log_(fmt::format("{}: {}", error.what(), error.details()));
      }
    }
  } const over{*this, caller, short_key(slot.key())};
  v1::SessionEvent event;
  event.mutable_opened()->set_session(slot.key());
  event.mutable_opened()->set_device(offered.offer.name);
  event.mutable_opened()->set_memory_bytes(opened.memory_bytes());
  event.mutable_opened()->set_processor(opened.processor());
  event.mutable_opened()->set_places_programs(opened.places_programs());
  log_(fmt::format("{} session {}: {} opened {}", caller.peer, short_key(slot.key()), caller.who, offered.offer.name));
  greet(call);
  events.Write(event);
  while (!call.IsCancelled() && !sessions_.closed()) {
    for (const std::string& line : session->take_log()) tell(line);
    if (const auto reason = session->end_reason()) throw SessionOver("the session is over: " + *reason);
    std::this_thread::sleep_for(kWatchInterval);
  }
}

Status Service::Attach(ServerContext* call, const v1::AttachRequest* request,
                       grpc::ServerWriter<v1::SessionEvent>* events) {
  return guarded(*call, "Attach", [&](const Caller& caller) {
    SessionTable::Slot slot(sessions_, caller.who);
    hold_session(*call, caller, *request, slot, *events);
  });
}

}  // namespace vantage::rpc
