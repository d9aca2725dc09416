#include "hw/program/bundle.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/file.h"
#include "base/gzip.h"
#include "base/json_object.h"
#include "base/math.h"
#include "base/temporary.h"
#include "hw/isa/counters.h"
#include "hw/isa/register_map.h"
#include "hw/program/program.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBundleFormat = "vta-bundle/1";

// What the segments of one list describe, and how far into their file they reach. Many segments may share one piece of
// the file, and a packed file is far smaller than what it unpacks to, so a small bundle could describe far more than it
// has.
constexpr uint64_t kMaxDescribed = uint64_t{256} << 20;

struct SegmentHeader {
  uint64_t address, size, offset;
};

SegmentHeader read_header(const JsonObject& entry) {
  const SegmentHeader header{entry.natural("addr", 0, isa::kAddressSpace.count()),
                             entry.natural("size", 0, isa::kAddressSpace.count()),
                             entry.natural("offset", 0, isa::kAddressSpace.count())};
  if (header.address + header.size > isa::kAddressSpace.count()) {
    fail("{}: {} bytes at address {} end past the {}-bit address space", entry.where(), header.size, header.address,
         isa::kAddressBits);
  }
  return header;
}

JsonStream header_stream(const std::string& where, const char* key, std::vector<SegmentHeader>& headers) {
  return stream_objects(where, key, {"addr", "size", "offset"},
                        [&headers](const JsonObject& entry) { headers.push_back(read_header(entry)); });
}

void require_described(const fs::path& path, uint64_t bytes) {
  if (bytes <= kMaxDescribed) return;
  fail("{}: its segments describe {} bytes, more than the {} that a bundle may have", path.string(), bytes,
       kMaxDescribed);
}

// `stem` is "mem_in.bin"; the file may carry .gz.
std::vector<MemorySegment> read_segments(const fs::path& directory, std::string_view stem,
                                         const std::vector<SegmentHeader>& headers) {
  uint64_t end = 0;
  uint64_t total = 0;
  for (const SegmentHeader& header : headers) {
    end = std::max(end, header.offset + header.size);
    total += header.size;
    require_described(directory / stem, std::max(total, end));
  }
  const fs::path packed = directory / fmt::format("{}.gz", stem);
  const fs::path path = fs::exists(packed) ? packed : directory / stem;
  const std::string data = read_gzip_prefix(path, Bytes(end));
  if (data.size() < end) {
    fail("{}: truncated: bundle.json describes {} bytes, there are {}", path.string(), end, data.size());
  }
  std::vector<MemorySegment> segments;
  for (const SegmentHeader& header : headers) {
    segments.push_back({Bytes(header.address), data.substr(header.offset, header.size)});
  }
  return segments;
}

// The bytes before a run, each from the last segment that names it, looked up among any number of them. The segments
// must outlive it.
class MemoryAtStart {
 public:
  explicit MemoryAtStart(const std::vector<MemorySegment>& segments) {
    for (const MemorySegment& segment : segments) put(segment);
  }

  std::byte at(uint64_t address) const {
    auto piece = pieces_.upper_bound(address);
    if (piece == pieces_.begin()) return {};
    --piece;
    return address < piece->second.end ? static_cast<std::byte>(piece->second.bytes[address - piece->first])
                                       : std::byte{};
  }

 private:
  struct Piece {
    uint64_t end;
    const char* bytes;
  };

  void put(const MemorySegment& segment) {
    const uint64_t begin = segment.address.count(), end = begin + segment.bytes.size();
    if (begin == end) return;
    cut_at(begin);
    cut_at(end);
    pieces_.erase(pieces_.lower_bound(begin), pieces_.lower_bound(end));
    pieces_.emplace(begin, Piece{end, segment.bytes.data()});
  }
  // From here on no piece lies on both sides of `address`.
  void cut_at(uint64_t address) {
    auto piece = pieces_.upper_bound(address);
    if (piece == pieces_.begin()) return;
    --piece;
    const auto [begin, what] = *piece;
    if (begin == address || what.end <= address) return;
    piece->second.end = address;
    pieces_.emplace(address, Piece{what.end, what.bytes + (address - begin)});
  }

  std::map<uint64_t, Piece> pieces_;  // by their begin, apart from each other
};

std::vector<std::string> names_of_counters() {
  std::vector<std::string> names;
  for (const isa::CounterInfo& info : isa::kCounters) names.emplace_back(info.name);
  return names;
}

std::map<std::string, uint64_t> read_counters(const JsonObject& json) {
  std::map<std::string, uint64_t> counters;
  for (const std::string& name : json.keys()) counters[name] = json.natural(name, 0, UINT64_MAX);
  return counters;
}

std::vector<BundleSymbol> read_symbols(const JsonObject& json) {
  std::vector<BundleSymbol> symbols;
  json.each_object("symbols", {"name", "addr", "size", "role"}, [&](const JsonObject& entry) {
    symbols.push_back({entry.string("name"), Bytes(entry.natural("addr", 0, isa::kAddressSpace.count())),
                       Bytes(entry.natural("size", 0, isa::kAddressSpace.count())),
                       entry.one_of("role", {"input", "output"}) == "output"});
  });
  return symbols;
}

Json segment_headers(const std::vector<MemorySegment>& segments, std::string& data) {
  Json headers = Json::array();
  for (const MemorySegment& segment : segments) {
    headers.push_back({{"addr", segment.address.count()}, {"size", segment.bytes.size()}, {"offset", data.size()}});
    data += segment.bytes;
  }
  return headers;
}

}  // namespace

Bundle load_bundle(const fs::path& directory) {
  if (!fs::is_directory(directory)) {
    fail("{}: not a bundle: a bundle is a directory with bundle.json, mem_in.bin and mem_out.bin", directory.string());
  }
  const fs::path path = directory / "bundle.json";
  const std::string where = path.string();
  constexpr Bytes kJsonLimit{16 << 20};
  const auto require_format = [&](const JsonObject& object) {
    const std::string format = object.string("format");
    if (format == kBundleFormat) return;
    fail("{}: format \"{}\" is not known here, expected \"{}\"", where, format, kBundleFormat);
  };
  std::vector<SegmentHeader> memory, expect;
  JsonReading reading{.streams = {header_stream(where, "memory", memory), header_stream(where, "expect", expect)}};
  reading.before_stream = [&](const Json& so_far) {
    // What another format has in its segments is not to be complained of first.
    if (const JsonObject read(so_far, where); read.has("format")) require_format(read);
  };
  const Json json = parse_json(read_file(path, kJsonLimit), where, reading);
  require_format(JsonObject(json, where));
  const JsonObject object(json, where, {"format", "name", "config", "insn", "memory", "expect", "counters", "symbols"});

  Bundle bundle{
      object.line("name"), isa::Config::from_json(object.value("config"), where + ": config"), {}, 0, {}, {}, {}};
  const JsonObject insn = object.object("insn", {"addr", "count"});
  bundle.insn_address = Bytes(insn.natural("addr", 0, isa::kAddressSpace.count()));
  bundle.insn_count = insn.natural("count", 0, isa::kAddressSpace.count() / isa::kInsnBytes);
  if (bundle.insn_address.count() % isa::kInsnBytes != 0) {
    fail("{}: insn: addr is {}, expected a multiple of an instruction's {} bytes", where, bundle.insn_address.count(),
         isa::kInsnBytes);
  }
  if (bundle.insn_address.count() + bundle.insn_count * isa::kInsnBytes > isa::kAddressSpace.count()) {
    fail("{}: {} instructions at address {} end past the {}-bit address space", where, bundle.insn_count,
         bundle.insn_address.count(), isa::kAddressBits);
  }
  for (const char* const key : {"memory", "expect"}) object.array(key);  // was there, and is one
  bundle.memory = read_segments(directory, "mem_in.bin", memory);
  bundle.expect = read_segments(directory, "mem_out.bin", expect);
  if (object.has("counters")) bundle.counters = read_counters(object.object("counters", names_of_counters()));
  if (object.has("symbols")) bundle.symbols = read_symbols(object);
  return bundle;
}

void save_bundle(const Bundle& bundle, const fs::path& directory) {
  std::string mem_in;
  std::string mem_out;
  Json json = {{"format", kBundleFormat},
               {"name", bundle.name},
               {"config", bundle.config.to_json()},
               {"insn", {{"addr", bundle.insn_address.count()}, {"count", bundle.insn_count}}},
               {"memory", segment_headers(bundle.memory, mem_in)},
               {"expect", segment_headers(bundle.expect, mem_out)}};
  if (!bundle.counters.empty()) json["counters"] = bundle.counters;
  for (const BundleSymbol& symbol : bundle.symbols) {
    json["symbols"].push_back({{"name", symbol.name},
                               {"addr", symbol.address.count()},
                               {"size", symbol.size.count()},
                               {"role", name(symbol.is_output ? TensorRole::kOutput : TensorRole::kInput)}});
  }
  require_described(directory / "mem_in.bin", mem_in.size());
  require_described(directory / "mem_out.bin", mem_out.size());

  NewDirectory target(directory);
  write_file(target.path() / "bundle.json", json_text(json) + "\n");
  write_file(target.path() / "mem_in.bin.gz", gzip(mem_in));
  write_file(target.path() / "mem_out.bin.gz", gzip(mem_out));
  target.commit();
}

std::string Bundle::initial_bytes(Bytes address, Bytes size) const {
  std::string bytes(size.count(), '\0');
  const uint64_t begin = address.count();
  const uint64_t end = begin + size.count();
  for (const MemorySegment& segment : memory) {
    const uint64_t from = std::max(begin, segment.address.count());
    const uint64_t to = std::min(end, segment.address.count() + segment.bytes.size());
    if (from < to) bytes.replace(from - begin, to - from, segment.bytes, from - segment.address.count(), to - from);
  }
  return bytes;
}

std::vector<isa::Words> Bundle::insns() const {
  // Memory that no segment names is zero: LOADs of nothing, forever. Only what segments describe is looked at.
  uint64_t described_end = insn_address.count();
  for (const MemorySegment& segment : memory) {
    described_end = std::max(described_end, segment.address.count() + segment.bytes.size());
  }
  const uint64_t described = ceil_div(described_end - insn_address.count(), isa::kInsnBytes);
  const uint64_t count = std::min({insn_count, described, uint64_t{isa::kMaxInsns}});
  const std::string bytes = initial_bytes(insn_address, Bytes(count * isa::kInsnBytes));
  const isa::Codec codec(config);
  std::vector<isa::Words> words;
  for (auto data = as_bytes(bytes); !data.empty(); data = data.subspan(isa::kInsnBytes)) {
    words.push_back(isa::load_words(data.first<isa::kInsnBytes>()));
    const isa::Decoded decoded = codec.decode(words.back());
    if (decoded.insn && std::holds_alternative<isa::Finish>(*decoded.insn)) break;
  }
  return words;
}

std::vector<Diagnostic> Bundle::verify() const {
  const isa::Codec codec(config);
  const MemoryAtStart start(memory);
  const auto read = [&](uint64_t element) -> std::optional<isa::MicroOp> {
    std::array<std::byte, isa::kMicroOpBytes> bytes{};
    for (uint64_t i = 0; i < bytes.size(); ++i) bytes[i] = start.at(element * isa::kMicroOpBytes + i);
    return codec.decode_uop(isa::load_u32(bytes));
  };
  return vantage::verify(insns(), config, read, {});
}

bool Bundle::loads_acc8() const {
  const isa::Codec codec(config);
  for (const isa::Words& words : insns()) {
    const isa::Decoded decoded = codec.decode(words);
    const auto* load = decoded.insn ? std::get_if<isa::Load>(&*decoded.insn) : nullptr;
    if (load != nullptr && load->transfer.memory == isa::Memory::kAcc8 && !load->transfer.moves_nothing()) return true;
  }
  return false;
}

}  // namespace vantage
