// Any bytes as JSON: an Error, or what the JSON library makes of them; and an array that is streamed has the elements
// of one that is not.
#include "base/error.h"
#include "base/json.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Json whole = parse_json(text, "fuzz");
    VANTAGE_CHECK(whole == Json::parse(text));
    Json rows = Json::array();
    JsonReading reading;
    reading.streams = {{"rows", [&](const Json& row, size_t index) {
                          VANTAGE_CHECK(index == rows.size());
                          rows.push_back(row);
                        }}};
    Json streamed = parse_json(text, "fuzz", reading);
    if (streamed.is_object() && streamed.contains("rows") && streamed["rows"].is_array()) streamed["rows"] = rows;
    VANTAGE_CHECK(streamed == whole);
  } catch (const Error&) {
  }
  return 0;
}
