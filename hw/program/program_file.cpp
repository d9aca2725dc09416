// The program file: a fixed preamble, a JSON header, then the encoded instructions and micro-ops.
#include <zlib.h>

#include <map>

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "hw/isa/codec.h"
#include "hw/program/program.h"

namespace vantage {

namespace {

constexpr std::string_view kMagic = "VTAPROG1";
constexpr std::string_view kProgramFormat = "vta-program/1";
constexpr size_t kPreamble = 16;  // magic, header length, CRC-32 of all that follows

uint32_t checksum(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
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

void read_tables(const JsonObject& json, Program& program) {
  json.each_object("tensors", {"name", "memory", "elements", "role"},
                   [&](const JsonObject& tensor) { program.tensors.push_back(read_tensor(tensor)); });
  std::map<std::string, uint32_t> symbols = {{std::string(kMicroOpSymbol), Relocation::kMicroOps}};
  for (uint32_t i = 0; i < program.tensors.size(); ++i) symbols.emplace(program.tensors[i].name, i);
  json.each_object("relocations", {"insn", "symbol"}, [&](const JsonObject& relocation) {
    const auto insn = static_cast<uint32_t>(relocation.natural("insn", 0, UINT32_MAX));
    const auto known = symbols.find(relocation.string("symbol"));
    if (known == symbols.end()) relocation.refuse("symbol", "the name of a tensor");
    program.relocations.push_back({insn, known->second});
  });
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

Program parse_program(std::string_view bytes, std::string_view source) {
  if (!is_program_file(bytes)) fail("{}: not a program file: it does not begin with {}", source, kMagic);
  if (bytes.size() < kPreamble)
    fail("{}: truncated: {} bytes, the preamble alone has {}", source, bytes.size(), kPreamble);
  const uint32_t header_size = read_u32(bytes, 8);
  const uint32_t expected_checksum = read_u32(bytes, 12);
  const std::string_view body = bytes.substr(kPreamble);
  if (header_size > body.size()) {
    fail("{}: truncated: its header should have {} bytes, {} are left", source, header_size, body.size());
  }
  const Json json = parse_json(body.substr(0, header_size), fmt::format("{}: header", source));
  const JsonObject object(json, std::string(source));
  const std::string format = object.string("format");
  if (format != kProgramFormat)
    fail("{}: format \"{}\" is not known here, expected \"{}\"", source, format, kProgramFormat);
  const JsonObject known(json, std::string(source), {"format", "config", "insns", "uops", "tensors", "relocations"});
  const uint64_t insn_count = object.natural("insns", 0, UINT32_MAX);
  const uint64_t uop_count = object.natural("uops", 0, UINT32_MAX);
  const uint64_t expected = header_size + insn_count * isa::kInsnBytes + uop_count * isa::kMicroOpBytes;
  if (body.size() != expected) {
    fail("{}: {}: its header promises {} bytes after the preamble, there are {}", source,
         body.size() < expected ? "truncated" : "trailing bytes", expected, body.size());
  }
  if (checksum(body) != expected_checksum) {
    fail("{}: damaged: the checksum is {:08x}, expected {:08x}; make the file again", source, checksum(body),
         expected_checksum);
  }

  Program program{isa::Config::from_json(object.value("config"), fmt::format("{}: config", source)), {}, {}, {}, {}};
  read_tables(object, program);
  const isa::Codec codec(program.config);
  auto data = as_bytes(body).subspan(header_size);
  for (uint64_t i = 0; i < insn_count; ++i) {
    isa::Decoded decoded = codec.decode(isa::load_words(data.first<isa::kInsnBytes>()));
    if (!decoded.insn) fail("{}: instruction {}: {}", source, i, decoded.error);
    program.insns.push_back(*decoded.insn);
    data = data.subspan(isa::kInsnBytes);
  }
  for (uint64_t i = 0; i < uop_count; ++i) {
    program.uops.push_back(codec.decode_uop(isa::load_u32(data.first<isa::kMicroOpBytes>())));
    data = data.subspan(isa::kMicroOpBytes);
  }
  check_tables(program, source);
  return program;
}

}  // namespace vantage
