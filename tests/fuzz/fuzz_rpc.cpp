// Any bytes as messages of a client, one after another, to one session: each is refused or answered, none does harm.
// A message is a byte that says which call it is, two bytes of length, and its bytes.
#include "base/error.h"
#include "driver/rpc/messages.h"
#include "driver/rpc/session.h"
#include "driver/simulators/kinds.h"

using namespace vantage;

namespace {

template <typename Message>
std::optional<Message> parsed(std::string_view bytes) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  return message;
}

void answer(rpc::Session& session, uint8_t call, std::string_view bytes) {
  const auto goes_on = [] { return false; };
  switch (call % 8) {
    case 0:
      if (const auto m = parsed<v1::AllocateRequest>(bytes)) session.allocate(Bytes(m->bytes()));
      return;
    case 1:
      if (const auto m = parsed<v1::ReleaseRequest>(bytes)) session.release(Bytes(m->address()));
      return;
    case 2:
      if (const auto m = parsed<v1::WriteRequest>(bytes)) {
        session.write(Bytes(m->address()), std::as_bytes(std::span(m->data())));
      }
      return;
    case 3:
      if (const auto m = parsed<v1::ReadRequest>(bytes)) {
        std::vector<std::byte> got(std::min<uint64_t>(m->bytes(), 4096));
        session.read(Bytes(m->address()), got);
      }
      return;
    case 4:
      if (const auto m = parsed<v1::LoadRequest>(bytes)) {
        std::map<std::string, Bytes> tensors;
        for (const v1::TensorBuffer& tensor : m->tensors()) tensors[tensor.name()] = Bytes(tensor.address());
        session.load(m->program(), tensors, goes_on);
      }
      return;
    case 5:
      if (const auto m = parsed<v1::LaunchRequest>(bytes)) {
        const auto options = rpc::from_message(m->options());
        const auto result = m->has_image() ? session.run(rpc::from_message(m->image()), options, goes_on)
                                           : session.run(m->program(), options, goes_on);
        VANTAGE_CHECK(rpc::from_message(rpc::to_message(result)).counters == result.counters);
      }
      return;
    case 6:
      if (const auto m = parsed<v1::UnloadRequest>(bytes)) session.unload(m->program());
      return;
    // What a server sends: a client must stand that too.
    default:
      if (const auto m = parsed<v1::LaunchReply>(bytes)) rpc::from_message(*m);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static rpc::Offer offer("fsim", driver::functional_simulator(), std::nullopt, 1);
  rpc::Quota limits;
  limits.memory = Bytes(1 << 20);
  limits.run_steps = 1000;
  rpc::Session session("fuzz", offer, limits, "", "", nullptr);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (rest.size() >= 3) {
    const auto byte = [&](size_t i) { return static_cast<uint8_t>(rest[i]); };
    const uint8_t call = byte(0);
    const size_t length = byte(1) | size_t{byte(2)} << 8;
    rest.remove_prefix(3);
    const std::string_view bytes = rest.substr(0, length);
    rest.remove_prefix(bytes.size());
    try {
      answer(session, call, bytes);
    } catch (const Error&) {
    }
  }
  return 0;
}
