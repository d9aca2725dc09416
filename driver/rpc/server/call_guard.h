// Looks at every call of a server, those of gRPC's own services too, before and after it is answered.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <atomic>

#include "driver/rpc/server/gate.h"
#include "driver/rpc/server/identities.h"

namespace vantage::rpc {

// Reflection wants the token, and only a few may have it at once, since each such call holds a thread. What was taken
// back before it was answered, and what no service answers, is an offence of its connection's.
class CallGuard : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  CallGuard(Gate& gate, const Identities& identities) : gate_(gate), identities_(identities) {}

  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* call) override;

 private:
  class Call;

  Gate& gate_;
  const Identities& identities_;
  std::atomic<int> reflections_ = 0;
};

}  // namespace vantage::rpc
