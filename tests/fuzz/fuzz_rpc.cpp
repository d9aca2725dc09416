// Any bytes as requests of a client, one after another, to one workspace: each is refused or answered, none does harm.
// A request is a byte, two bytes of length, and its bytes; the byte says whether they are a request or a reply, which a
// client must stand too.
#include <google/protobuf/stubs/logging.h>

#include "base/error.h"
#include "driver/rpc/protocol/messages.h"
#include "driver/rpc/workspace/local_workspace.h"
#include "driver/simulators/kinds.h"

using namespace vantage;

namespace {

template <typename Message>
std::optional<Message> parsed(std::string_view bytes) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  return message;
}

void answer(rpc::Workspace& workspace, std::string_view bytes) {
  const auto request = parsed<v1::WorkspaceRequest>(bytes);
  if (!request) return;
  switch (request->what_case()) {
    case v1::WorkspaceRequest::WHAT_NOT_SET:
    case v1::WorkspaceRequest::kOpen:
    case v1::WorkspaceRequest::kFlash: return;
    case v1::WorkspaceRequest::kWrite: {
      const std::vector<std::byte> piece(std::min<uint64_t>(request->write().bytes(), 4096));
      return workspace.write(Bytes(request->write().address()), piece, {});
    }
    case v1::WorkspaceRequest::kRead: {
      std::vector<std::byte> piece(std::min<uint64_t>(request->read().bytes(), 4096));
      return workspace.read(Bytes(request->read().address()), piece, {});
    }
    default: break;
  }
  const v1::WorkspaceReply reply = workspace.call(*request, {});
  if (reply.has_launch()) rpc::from_message(reply.launch());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  google::protobuf::SetLogHandler(nullptr);  // that text is not UTF-8 is said of every other input
  v1::OpenRequest opening;
  opening.set_device("fsim");
  opening.mutable_limits()->set_memory_bytes(1 << 20);
  opening.mutable_limits()->set_allocations(4096);
  opening.mutable_limits()->set_programs(256);
  opening.mutable_limits()->set_tensors(1024);
  opening.mutable_limits()->set_run_steps(1000);
  rpc::LocalWorkspace workspace({driver::functional_simulator()});
  workspace.open(opening, nullptr, {});
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (rest.size() >= 3) {
    const auto byte = [&](size_t i) { return static_cast<uint8_t>(rest[i]); };
    const bool is_reply = byte(0) % 8 == 7;
    const size_t length = byte(1) | size_t{byte(2)} << 8;
    rest.remove_prefix(3);
    const std::string_view bytes = rest.substr(0, length);
    rest.remove_prefix(bytes.size());
    try {
      if (!is_reply) {
        answer(workspace, bytes);
      } else if (const auto reply = parsed<v1::LaunchReply>(bytes)) {
        rpc::from_message(*reply);
      }
    } catch (const Error&) {
    }
  }
  return 0;
}
