#include "driver/rpc/service.h"

#include <sstream>
#include <thread>

#include "base/json.h"
#include "base/suggest.h"
#include "driver/rpc/access.h"
#include "driver/rpc/errors.h"
#include "driver/rpc/messages.h"
#include "driver/rpc/teller.h"

namespace vantage::rpc {

using grpc::ServerContext;
using grpc::Status;
using grpc::StatusCode;

namespace {

constexpr size_t kLongestMessage = 2000;
constexpr auto kWatchInterval = std::chrono::milliseconds(50);

std::span<const std::byte> bytes_of(const std::string& data) {
  return std::as_bytes(std::span(data.data(), data.size()));
}

}  // namespace

Service::Service(std::vector<std::unique_ptr<Offer>>& offers, ContentStore& store, Quota limits, std::string token,
                 ServerLog log)
    : offers_(offers),
      store_(store),
      limits_(limits),
      token_(std::move(token)),
      log_(std::move(log)),
      sessions_(limits.sessions),
      streams_(limits.stream_idle_seconds) {
  // A thread of its own: a session's stream waits for clients that do not read.
  watcher_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      for (const auto& session : sessions_.all()) session->watch();
      streams_.look();
      std::this_thread::sleep_for(kWatchInterval);
    }
  });
}

Status Service::guarded(ServerContext& call, const char* what, const std::function<void()>& answer) {
  // `details` are for the log alone.
  const auto refuse = [&](StatusCode code, std::string message, const std::string& details = "") {
    // A status travels in a header; what a client quotes may be long.
    if (message.size() > kLongestMessage) message.replace(kLongestMessage, std::string::npos, " ...");
    log_(fmt::format("{} {} refused: {}{}{}", call.peer(), what, message, details.empty() ? "" : ": ", details));
    return Status(code, message);
  };
  try {
    if (!carries_token(call, token_)) {
      return refuse(StatusCode::UNAUTHENTICATED, "the call carries no token, or a wrong one");
    }
    answer();
    return Status::OK;
  } catch (const QuotaError& error) {
    return refuse(StatusCode::RESOURCE_EXHAUSTED, error.what());
  } catch (const SessionOver& error) {
    return refuse(StatusCode::FAILED_PRECONDITION, error.what());
  } catch (const CallCancelled& error) {
    return refuse(StatusCode::CANCELLED, error.what());
  } catch (const ToolError& error) {
    const Status status =
        refuse(StatusCode::INTERNAL, "a tool that the server needs failed; its log has the reason", error.what());
    std::istringstream output(error.output());
    for (std::string line; std::getline(output, line);) log_("  | " + line);
    return status;
  } catch (const Error& error) {
    return refuse(StatusCode::INVALID_ARGUMENT, error.what());
  } catch (const ServerError& error) {
    return refuse(StatusCode::INTERNAL, error.what(), error.details());
  } catch (const std::bad_alloc&) {
    return refuse(StatusCode::RESOURCE_EXHAUSTED, "the server has too little memory for that");
  } catch (const std::exception& error) {
    return refuse(StatusCode::INTERNAL, "an error of its own; its log has it", error.what());
  }
}

Status Service::with_session(ServerContext& call, const char* what, const std::function<void(Session&)>& answer) {
  std::shared_ptr<Session> session;
  const Status status = guarded(call, what, [&] {
    const auto header = call.client_metadata().find("vantage-session");
    const bool has_key = header != call.client_metadata().end();
    session = sessions_.find(has_key ? std::string(header->second.data(), header->second.size()) : "");
    const Session::Call under_way(*session);
    answer(*session);
  });
  if (session != nullptr && !status.ok()) session->log(fmt::format("{} refused: {}", what, status.error_message()));
  return status;
}

Offer& Service::offer(const std::string& name) {
  if (name.empty()) return *offers_.front();
  std::vector<std::string> names;
  for (const auto& offer : offers_) {
    if (offer->name == name) return *offer;
    names.push_back(offer->name);
  }
  fail("the server has no device '{}'{}", name, did_you_mean(name, names));
}

Status Service::List(ServerContext* call, const v1::ListRequest*, v1::ListReply* reply) {
  return guarded(*call, "List", [&] {
    for (const auto& offer : offers_) {
      v1::OfferedDevice& device = *reply->add_devices();
      device.set_name(offer->name);
      device.set_meaning(offer->kind.meaning);
      if (offer->config) device.set_config_json(offer->config->to_json().dump());
      device.set_runs_at_once(static_cast<uint32_t>(offer->runs_at_once));
      device.set_sessions(offer->sessions);
      device.set_waiting_runs(static_cast<uint32_t>(offer->queue.waiting()));
    }
  });
}

void Service::hold_session(ServerContext& call, const v1::AttachRequest& request, SessionTable::Slot& slot,
                           grpc::ServerWriter<v1::SessionEvent>& events) {
  Offer& device = offer(request.device());
  v1::SessionEvent event;
  const auto tell = [&](const std::string& line) {
    event.mutable_log()->set_text(line);
    events.Write(event);
  };
  const auto session =
      std::make_shared<Session>(slot.key(), device, limits_, request.config_json(), request.memory_json(), tell);
  event.mutable_opened()->set_session(slot.key());
  event.mutable_opened()->set_device(device.name);
  event.mutable_opened()->set_memory_bytes(session->memory_size().count());
  slot.fill(session);
  log_(fmt::format("{} session {}: opened {}", call.peer(), slot.key().substr(0, 8), device.name));
  events.Write(event);
  while (!call.IsCancelled() && !sessions_.closed()) {
    for (const std::string& line : session->take_log()) tell(line);
    std::this_thread::sleep_for(kWatchInterval);
  }
}

Status Service::Attach(ServerContext* call, const v1::AttachRequest* request,
                       grpc::ServerWriter<v1::SessionEvent>* events) {
  return guarded(*call, "Attach", [&] {
    std::string key;
    {
      SessionTable::Slot slot(sessions_);
      key = slot.key();
      hold_session(*call, *request, slot, *events);
    }
    log_(fmt::format("{} session {}: over", call->peer(), key.substr(0, 8)));
  });
}

Status Service::Allocate(ServerContext* call, const v1::AllocateRequest* request, v1::AllocateReply* reply) {
  return with_session(*call, "Allocate",
                      [&](Session& session) { reply->set_address(session.allocate(Bytes(request->bytes())).count()); });
}

Status Service::Release(ServerContext* call, const v1::ReleaseRequest* request, v1::ReleaseReply*) {
  return with_session(*call, "Release", [&](Session& session) { session.release(Bytes(request->address())); });
}

Status Service::Write(ServerContext* call, grpc::ServerReader<v1::WriteRequest>* requests, v1::WriteReply*) {
  return with_session(*call, "Write", [&](Session& session) {
    v1::WriteRequest request;
    std::optional<Bytes> address;
    while (streams_.wait(*call, [&] { return requests->Read(&request); })) {
      if (!address) address = Bytes(request.address());
      session.write(*address, bytes_of(request.data()));
      *address += Bytes(request.data().size());
    }
  });
}

Status Service::Read(ServerContext* call, const v1::ReadRequest* request, grpc::ServerWriter<v1::ReadReply>* replies) {
  return with_session(*call, "Read", [&](Session& session) {
    Bytes address(request->address());
    v1::ReadReply reply;
    for (uint64_t left = request->bytes(); left > 0;) {
      const uint64_t size = std::min(left, kPieceBytes);
      reply.mutable_data()->resize(size);
      session.read(address, std::as_writable_bytes(std::span(*reply.mutable_data())));
      if (!streams_.wait(*call, [&] { return replies->Write(reply); })) return;  // nobody listens any more
      address += Bytes(size);
      left -= size;
    }
  });
}

Status Service::FindContent(ServerContext* call, const v1::FindContentRequest* request, v1::ContentStatus* reply) {
  return with_session(*call, "FindContent", [&](Session&) {
    const ContentStore::Status status = store_.find(request->sha256(), request->bytes());
    reply->set_received(status.received);
    reply->set_complete(status.complete);
  });
}

Status Service::PutContent(ServerContext* call, grpc::ServerReader<v1::PutContentRequest>* requests,
                           v1::ContentStatus* reply) {
  return with_session(*call, "PutContent", [&](Session&) {
    v1::PutContentRequest request;
    const auto next = [&] { return streams_.wait(*call, [&] { return requests->Read(&request); }); };
    if (!next()) fail("an upload begins with a message that names its content; none came");
    ContentStore::Upload upload = store_.put(request.sha256(), request.bytes(), request.offset());
    if (request.offset() > 0) {
      log_(fmt::format("{} the upload of {} goes on at byte {} of {}", call->peer(), request.sha256().substr(0, 8),
                       request.offset(), request.bytes()));
    }
    do {
      upload.append(request.data());
    } while (next());
    const ContentStore::Status status = upload.finish();
    reply->set_received(status.received);
    reply->set_complete(status.complete);
  });
}

Status Service::WriteContent(ServerContext* call, const v1::WriteContentRequest* request, v1::WriteReply*) {
  return with_session(*call, "WriteContent", [&](Session& session) {
    session.write_content(Bytes(request->address()), store_, request->sha256());
  });
}

Status Service::Load(ServerContext* call, const v1::LoadRequest* request, v1::LoadReply* reply) {
  return with_session(*call, "Load", [&](Session& session) {
    if (static_cast<size_t>(request->tensors_size()) > limits_.tensors) {
      throw QuotaError(fmt::format("{} tensors are more than the {} that this server allows a program",
                                   request->tensors_size(), limits_.tensors));
    }
    std::map<std::string, Bytes> tensors;
    for (const v1::TensorBuffer& tensor : request->tensors()) tensors[tensor.name()] = Bytes(tensor.address());
    const Session::Placed placed = session.load(request->program(), tensors, [call] { return call->IsCancelled(); });
    reply->set_program(placed.id);
    *reply->mutable_image() = to_message(placed.image);
    for (const driver::Region& region : placed.regions) {
      v1::Region& message = *reply->add_regions();
      message.set_name(region.name);
      message.set_address(region.address.count());
      message.set_bytes(region.size.count());
      message.set_is_output(region.is_output);
    }
  });
}

Status Service::Unload(ServerContext* call, const v1::UnloadRequest* request, v1::UnloadReply*) {
  return with_session(*call, "Unload", [&](Session& session) { session.unload(request->program()); });
}

Status Service::Launch(ServerContext* call, const v1::LaunchRequest* request, v1::LaunchReply* reply) {
  return with_session(*call, "Launch", [&](Session& session) {
    const auto given_up = [call] { return call->IsCancelled(); };
    const driver::RunOptions options = from_message(request->options());
    const driver::RunResult result = request->has_image()
                                         ? session.run(from_message(request->image()), options, given_up)
                                         : session.run(request->program(), options, given_up);
    for (const std::string& warning : result.warnings) session.log("warning: " + warning);
    if (!result.ok()) session.log("the run ended with " + sim::failure(result));
    *reply = to_message(result);
  });
}

Status Service::Time(ServerContext* call, const v1::TimeRequest* request, v1::TimeReply* reply) {
  return with_session(*call, "Time", [&](Session& session) {
    const auto within = [](uint32_t value) { return static_cast<int>(std::min<uint32_t>(value, 1'000'000)); };
    const driver::TimeOptions time{within(request->number()), within(request->repeat()), request->min_ms()};
    const driver::Timing timing = session.time(request->program(), time, from_message(request->options()),
                                               [call] { return call->IsCancelled(); });
    reply->mutable_seconds()->Assign(timing.samples.begin(), timing.samples.end());
    reply->set_number(static_cast<uint32_t>(timing.number));
  });
}

Status Service::ReadMicroOps(ServerContext* call, const v1::ReadMicroOpsRequest*, v1::ReadMicroOpsReply* reply) {
  return with_session(*call, "ReadMicroOps", [&](Session& session) {
    for (const uint32_t word : session.micro_ops()) reply->add_words(word);
  });
}

Status Service::Reset(ServerContext* call, const v1::ResetRequest* request, v1::ResetReply*) {
  return with_session(*call, "Reset", [&](Session& session) { session.reset(request->scratchpads_only()); });
}

Status Service::Flash(ServerContext* call, grpc::ServerReaderWriter<v1::FlashEvent, v1::FlashRequest>* stream) {
  return guarded(*call, "Flash", [&] {
    v1::FlashRequest request;
    if (!streams_.wait(*call, [&] { return stream->Read(&request); })) {
      fail("a bitstream begins with a message that says what it is; none came");
    }
    Offer& device = offer(request.device());
    if (!device.flash) {
      fail("the device '{}' cannot be flashed from here; a server of a board allows it with --allow-flash",
           device.name);
    }
    FlashJob job{.name = request.name(),
                 .bitstream = {},
                 .config_json = request.config_json(),
                 .register_map = request.register_map(),
                 .clock_mhz = request.clock_mhz(),
                 .force = request.force()};
    do {
      job.bitstream += request.data();
      if (job.bitstream.size() > kLargestMessage) {
        throw QuotaError(fmt::format("a bitstream of more than {} bytes is refused", kLargestMessage));
      }
    } while (streams_.wait(*call, [&] { return stream->Read(&request); }));
    log_(fmt::format("{} flashes {} of {} bytes on {}", call->peer(), job.name, job.bitstream.size(), device.name));
    Teller client([&](const std::string& step) {
      v1::FlashEvent event;
      event.set_step(step);
      return streams_.wait(*call, [&] { return stream->Write(event); });
    });
    device.flash(job, [&](const std::string& step) {
      log_(fmt::format("{} flashing: {}", call->peer(), step));
      client.add(step);
    });
  });
}

}  // namespace vantage::rpc
