#include "driver/rpc/server/server.h"

#include <sys/resource.h>

#include <algorithm>

#include "base/error.h"

namespace vantage::rpc {

namespace {

void require_allowed(const std::vector<Offer>& offers, const ServerOptions& options) {
  if (offers.empty()) fail("a server needs a device to offer");
  if (!options.identities.empty()) return;
  if (!is_loopback(options.listen)) {
    fail("{} is reached from other machines, so callers need a token; give one with --token-file", options.listen);
  }
  for (const Offer& offer : offers) {
    if (offer.flash) {
      fail(
          "whoever flashes '{}' holds this machine, and other users of it reach {} too, so callers need a token; give "
          "one with --token-file",
          offer.name, options.listen);
    }
    if (offer.takes_code) {
      fail("'{}' runs code that callers bring, so they need a token; give one with --token-file", offer.name);
    }
  }
}

std::vector<std::unique_ptr<OfferedDevice>> offered(std::vector<Offer> offers) {
  std::vector<std::unique_ptr<OfferedDevice>> devices;
  for (Offer& offer : offers) devices.push_back(std::make_unique<OfferedDevice>(std::move(offer)));
  return devices;
}

// A connection takes two file descriptors here, a session some for its process, and all of them must be had.
GateLimits within_files(GateLimits limits, const Quota& quota) {
  constexpr size_t kOthers = 96;
  constexpr size_t kOfSession = 4;
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const size_t taken = kOthers + kOfSession * quota.sessions;
  const size_t left = files.rlim_cur > taken ? (files.rlim_cur - taken) / 2 : 0;
  limits.connections = std::clamp<size_t>(left, 16, limits.connections);
  limits.silent = std::min(limits.silent, limits.connections / 4);
  limits.strangers = std::min(limits.strangers, limits.connections / 4);
  return limits;
}

}  // namespace

Server::Server(std::vector<Offer> offers, ServerOptions options)
    : devices_((require_allowed(offers, options), offered(std::move(offers)))),
      identities_(std::move(options.identities)),
      refusals_(options.log),
      audit_(options.audit),
      contents_(options.contents, options.limits.content),
      gate_(options.listen, within_files(options.gate, options.limits), refusals_),
      service_({devices_, contents_, identities_, gate_, refusals_, audit_}, options.limits, options.log),
      connections_(
          (keep_grpc_quiet(), ConnectionParts{service_, server_credentials(options.tls), gate_, identities_})) {
  gate_.open([this](uint64_t number, int socket) { connections_.add(number, socket); },
             [this](uint64_t number) { connections_.remove(number); });
}

Server::~Server() {
  stop();
}

void Server::stop() {
  gate_.close();
  service_.close();
  connections_.clear();
  stopped_ = true;
  stopped_.notify_all();
}

void Server::wait() {
  stopped_.wait(false);
}

}  // namespace vantage::rpc
