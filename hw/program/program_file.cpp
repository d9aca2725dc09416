// The program file: a fixed preamble, a JSON header, then the encoded instructions and micro-ops.
#include <zlib.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "base/stop.h"
#include "hw/isa/codec.h"
#include "hw/program/program.h"

namespace vantage {

namespace {

constexpr std::string_view kMagic = "VTAPROG1";
constexpr std::string_view kProgramFormat = "vta-program/1";
constexpr size_t kPreamble = 16;  // magic, header length, CRC-32 of all that follows

uint32_t checksum(std::string_view bytes, const std::stop_token& stop = {}) {
  constexpr size_t kPiece = size_t{1} << 20;
  uLong sum = crc32_z(0, nullptr, 0);
  for (size_t at = 0; at < bytes.size(); at += kPiece) {
    require_going_on(stop);
    const std::string_view piece = bytes.substr(at, kPiece);
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  }
  return static_cast<uint32_t>(sum);
}

void append_u32(std::string& out, uint32_t value) {
  std::array<std::byte, 4> bytes{};
  isa::store_u32(value, bytes);
  out += as_text(bytes);
}

uint32_t read_u32(std::string_view bytes, size_t offset) {
  return isa::load_u32(as_bytes(bytes).subspan(offset).first<4>());
}

Json header(const Program& program) {
  Json tensors = Json::array();
  for (const ProgramTensor& tensor : program.tensors) {
    tensors.push_back({{"name", tensor.name},
                       {"memory", isa::name(tensor.memory)},
                       {"elements", tensor.elements},
                       {"role", name(tensor.role)}});
  }
  Json relocations = Json::array();
  for (const Relocation& relocation : program.relocations) {
    relocations.push_back({{"insn", relocation.insn}, {"symbol", program.symbol_name(relocation.symbol)}});
  }
  return {{"format", kProgramFormat},    {"config", program.config.to_json()}, {"insns", program.insns.size()},
          {"uops", program.uops.size()}, {"tensors", std::move(tensors)},      {"relocations", std::move(relocations)}};
}

ProgramTensor read_tensor(const JsonObject& json) {
  ProgramTensor tensor{};
  tensor.name = json.string("name");
  const auto memory = isa::memory_from_name(json.string("memory"));
  if (!memory) json.refuse("memory", isa::memory_names());
  tensor.memory = *memory;
  tensor.elements = static_cast<uint32_t>(json.natural("elements", 0, UINT32_MAX));
  const auto role = tensor_role_from_name(json.string("role"));
  if (!role) json.refuse("role", "input or output");
  tensor.role = *role;
  return tensor;
}

// The tables of a header, which may come in any order, as they are read.
class Tables {
 public:
  explicit Tables(std::string_view source) : source_(source) {}

  std::vector<JsonStream> streams() {
    return {stream_objects(source_, "tensors", {"name", "memory", "elements", "role"},
                           [this](const JsonObject& tensor) { tensors_.push_back(read_tensor(tensor)); }),
            stream_objects(source_, "relocations", {"insn", "symbol"}, [this](const JsonObject& relocation) {
              const auto insn = static_cast<uint32_t>(relocation.natural("insn", 0, UINT32_MAX));
              relocations_.push_back({insn, number(relocation.string("symbol"))});
            })};
  }

  // All of them were read: what relocations name is looked up.
  void put_into(Program& program) && {
    std::vector<std::optional<uint32_t>> symbols(names_.size());
    const auto know = [&](const std::string& name, uint32_t symbol) {
      const auto named = names_.find(name);
      if (named != names_.end() && !symbols[named->second]) symbols[named->second] = symbol;
    };
    know(std::string(kMicroOpSymbol), Relocation::kMicroOps);
    for (uint32_t i = 0; i < tensors_.size(); ++i) know(tensors_[i].name, i);
    for (size_t i = 0; i < relocations_.size(); ++i) {
      const auto symbol = symbols[relocations_[i].symbol];
      if (!symbol) refuse_symbol(i);
      relocations_[i].symbol = *symbol;
    }
    program.tensors = std::move(tensors_);
    program.relocations = std::move(relocations_);
  }

 private:
  uint32_t number(const std::string& name) {
    return names_.emplace(name, static_cast<uint32_t>(names_.size())).first->second;
  }
  [[noreturn]] void refuse_symbol(size_t index) const {
    const auto named = std::find_if(names_.begin(), names_.end(),
                                    [&](const auto& entry) { return entry.second == relocations_[index].symbol; });
    fail("{}: relocations[{}]: symbol is {}, expected the name of a tensor", source_, index,
         json_excerpt(named->first));
  }

  const std::string source_;
  std::vector<ProgramTensor> tensors_;
  std::vector<Relocation> relocations_;              // with numbers of names as symbols
  std::unordered_map<std::string, uint32_t> names_;  // that relocations have, numbered as they come
};

void require_format(const JsonObject& header, std::string_view source) {
  const std::string format = header.string("format");
  if (format == kProgramFormat) return;
  fail("{}: format \"{}\" is not known here, expected \"{}\"", source, format, kProgramFormat);
}

}  // namespace

bool is_program_file(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

std::string serialize(const Program& program) {
  check_tables(program, "program");
  const std::string json = header(program).dump();
  const isa::Codec codec(program.config);
  std::string body = json;
  for (const isa::Insn& insn : program.insns) {
    std::array<std::byte, isa::kInsnBytes> bytes{};
    isa::store_words(codec.encode(insn), bytes);
    body += as_text(bytes);
  }
  for (const isa::MicroOp& uop : program.uops) append_u32(body, codec.encode(uop));

  std::string file(kMagic);
  append_u32(file, static_cast<uint32_t>(json.size()));
  append_u32(file, checksum(body));
  return file + body;
}

Program parse_program(std::string_view bytes, std::string_view source, const std::stop_token& stop) {
  if (!is_program_file(bytes)) fail("{}: not a program file: it does not begin with {}", source, kMagic);
  if (bytes.size() < kPreamble)
    fail("{}: truncated: {} bytes, the preamble alone has {}", source, bytes.size(), kPreamble);
  const uint32_t header_size = read_u32(bytes, 8);
  const uint32_t expected_checksum = read_u32(bytes, 12);
  const std::string_view body = bytes.substr(kPreamble);
  if (header_size > body.size()) {
    fail("{}: truncated: its header should have {} bytes, {} are left", source, header_size, body.size());
  }
  // Of a file that is not whole only the sizes are read, to say what it lacks.
  const uint32_t sum = checksum(body, stop);
  Tables tables(source);
  JsonReading reading{.streams = tables.streams(), .stop = stop};
  if (sum != expected_checksum) {
    for (JsonStream& stream : reading.streams) stream.use = nullptr;
  }
  reading.before_stream = [&](const Json& so_far) {
    // What another format has in its tables is not to be complained of first.
    if (const JsonObject header(so_far, std::string(source)); header.has("format")) require_format(header, source);
  };
  const Json json = parse_json(body.substr(0, header_size), fmt::format("{}: header", source), reading);
  const JsonObject object(json, std::string(source));
  require_format(object, source);
  const JsonObject known(json, std::string(source), {"format", "config", "insns", "uops", "tensors", "relocations"});
  const uint64_t insn_count = object.natural("insns", 0, UINT32_MAX);
  const uint64_t uop_count = object.natural("uops", 0, UINT32_MAX);
  const uint64_t expected = header_size + insn_count * isa::kInsnBytes + uop_count * isa::kMicroOpBytes;
  if (body.size() != expected) {
    fail("{}: {}: its header promises {} bytes after the preamble, there are {}", source,
         body.size() < expected ? "truncated" : "trailing bytes", expected, body.size());
  }
  if (sum != expected_checksum) {
    fail("{}: damaged: the checksum is {:08x}, expected {:08x}; make the file again", source, sum, expected_checksum);
  }

  Program program{isa::Config::from_json(object.value("config"), fmt::format("{}: config", source)), {}, {}, {}, {}};
  for (const char* const key : {"tensors", "relocations"}) object.array(key);  // was there, and is one
  std::move(tables).put_into(program);
  const isa::Codec codec(program.config);
  auto data = as_bytes(body).subspan(header_size);
  program.insns.reserve(insn_count);
  for (uint64_t i = 0; i < insn_count; ++i) {
    require_going_on(stop);
    isa::Decoded decoded = codec.decode(isa::load_words(data.first<isa::kInsnBytes>()));
    if (!decoded.insn) throw NoInstruction(source, i, decoded.error);
    program.insns.push_back(*decoded.insn);
    data = data.subspan(isa::kInsnBytes);
  }
  program.uops.reserve(uop_count);
  for (uint64_t i = 0; i < uop_count; ++i) {
    require_going_on(stop);
    program.uops.push_back(codec.decode_uop(isa::load_u32(data.first<isa::kMicroOpBytes>())));
    data = data.subspan(isa::kMicroOpBytes);
  }
  check_symbols(program, source, stop);
  return program;
}

}  // namespace vantage
