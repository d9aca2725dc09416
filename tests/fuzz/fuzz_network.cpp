// Any bytes as what an archive of a model holds: as the archive's own format, and as the JSON of its network, with a
// program and constants to speak of. An Error, or a network that can be run and is written as what is read as the same.
#include "base/error.h"
#include "base/json.h"
#include "base/tar.h"
#include "network/network_file.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    read_tar(bytes, "fuzz", Bytes(1 << 20));
  } catch (const Error&) {
  }
  try {
    Program program{isa::Config::vta_default(), {isa::Finish{}}, {}, {}, {}};
    program.tensors.push_back({"in", isa::Memory::kInp, 4, TensorRole::kInput});
    program.tensors.push_back({"out", isa::Memory::kOut, 4, TensorRole::kOutput});
    const std::string constants(4096, '\1');
    const Network network = network_from_json(parse_json(bytes, "fuzz"), "fuzz", {program}, constants);
    check_network(network, "fuzz");
    std::string written;
    each_constant(network, [&](std::string_view piece) { written += piece; });
    const Json json = network_to_json(network);
    const Network again = network_from_json(json, "again", {program}, written);
    check_network(again, "again");
    VANTAGE_CHECK(network_to_json(again) == json);
  } catch (const Error&) {
  }
  return 0;
}
