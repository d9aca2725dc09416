// Any bytes as the manifest of a saved library: an Error, or a Manifest that round-trips.
#include "base/error.h"
#include "base/json.h"
#include "base/sha256.h"
#include "native/library.h"

using namespace vantage;

namespace {

void parse(std::string_view text) {
  try {
    const native::Manifest manifest = native::parse_manifest(text, "fuzz");
    VANTAGE_CHECK(to_text(native::parse_manifest(to_text(manifest), "again")) == to_text(manifest));
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  parse(text);
  // With the hash that it should have, or hardly anything would get past that.
  try {
    Json json = parse_json(text, "fuzz");
    if (!json.is_object()) return 0;
    json.erase("manifest_sha256");
    json["manifest_sha256"] = sha256(json.dump(-1, ' ', false, Json::error_handler_t::replace));
    parse(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  } catch (const Error&) {
  }
  return 0;
}
