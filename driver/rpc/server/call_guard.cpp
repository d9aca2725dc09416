#include "driver/rpc/server/call_guard.h"

#include <string_view>

namespace vantage::rpc {

namespace {

using grpc::experimental::InterceptionHookPoints;

constexpr int kReflectionsAtOnce = 4;

}  // namespace

class CallGuard::Call : public grpc::experimental::Interceptor {
 public:
  Call(CallGuard& guard, grpc::experimental::ServerRpcInfo& call)
      : guard_(guard),
        context_(*call.server_context()),
        is_reflection_(std::string_view(call.method()).starts_with("/grpc.reflection.")),
        is_known_(std::string_view(call.method()).starts_with('/')) {
    if (is_reflection_) has_place_ = ++guard_.reflections_ <= kReflectionsAtOnce;
  }
  ~Call() override {
    if (is_reflection_) --guard_.reflections_;
  }

  void Intercept(grpc::experimental::InterceptorBatchMethods* batch) override {
    if (batch->QueryInterceptionHookPoint(InterceptionHookPoints::POST_RECV_INITIAL_METADATA)) {
      guard_.gate_.called(context_.peer());
      if (is_reflection_ && (!has_place_ || guard_.identities_.of(context_) == nullptr)) {
        guard_.gate_.offence(context_.peer());
        context_.TryCancel();
      }
    }
    if (batch->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS) &&
        (!is_known_ || context_.IsCancelled())) {
      guard_.gate_.offence(context_.peer());
    }
    batch->Proceed();
  }

 private:
  CallGuard& guard_;
  grpc::ServerContextBase& context_;
  const bool is_reflection_, is_known_;
  bool has_place_ = true;
};

grpc::experimental::Interceptor* CallGuard::CreateServerInterceptor(grpc::experimental::ServerRpcInfo* call) {
  return new Call(*this, *call);  // NOLINT(cppcoreguidelines-owning-memory): the library deletes it
}

}  // namespace vantage::rpc
