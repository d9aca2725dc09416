#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/suggest.h"
#include "hw/isa/codec.h"
#include "hw/program/assembly.h"

namespace vantage {

using namespace isa;

namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find_first_of(separators);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::string_view part : split(text, kBlank)) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

int64_t parse_number(std::string_view text, std::string_view what) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) fail("{} is '{}', expected an integer", what, text);
  return value;
}

uint32_t parse_u32(std::string_view text, std::string_view what) {
  const int64_t value = parse_number(text, what);
  if (value < 0 || value > UINT32_MAX) fail("{} is {}, expected 0 to {}", what, value, UINT32_MAX);
  return static_cast<uint32_t>(value);
}

// The key=value operands of one line. Each must be asked for exactly once.
class Operands {
 public:
  explicit Operands(std::span<const std::string_view> parts) {
    for (std::string_view part : parts) {
      const size_t equals = part.find('=');
      if (equals == std::string_view::npos) fail("'{}': expected key=value", part);
      if (!values_.emplace(part.substr(0, equals), part.substr(equals + 1)).second) {
        fail("{} is given twice", part.substr(0, equals));
      }
    }
  }

  std::optional<std::string_view> optional(std::string_view key) {
    known_.emplace_back(key);
    const auto it = values_.find(key);
    if (it == values_.end()) return std::nullopt;
    const std::string_view value = it->second;
    values_.erase(it);
    return value;
  }
  std::string_view required(std::string_view key) {
    const auto value = optional(key);
    if (value) return *value;
    // One that no instruction has may be meant.
    constexpr std::array<std::string_view, 15> kAll = {"sram", "dram", "y",  "x",   "stride", "pad", "pop", "push",
                                                       "uop",  "out",  "in", "dst", "src",    "wgt", "imm"};
    std::vector<std::string> strange;
    for (const auto& [other, unused] : values_) {
      if (std::find(kAll.begin(), kAll.end(), other) == kAll.end()) strange.emplace_back(other);
    }
    const auto near = near_names(key, strange);
    if (!near.empty()) fail("unknown operand '{}'; did you mean '{}'?", near.front(), key);
    fail("{}= is missing", key);
  }
  uint32_t number(std::string_view key) { return parse_u32(required(key), key); }
  // `key=a,b,...` with exactly `count` numbers, separated by `separator`.
  std::vector<uint32_t> numbers(std::string_view key, size_t count, std::string_view separator = ",") {
    return split_numbers(key, required(key), count, separator);
  }
  std::vector<uint32_t> optional_numbers(std::string_view key, size_t count) {
    const auto value = optional(key);
    return value ? split_numbers(key, *value, count, ",") : std::vector<uint32_t>(count, 0);
  }

  void refuse_rest() const {
    if (!values_.empty()) {
      fail("unknown operand '{}'{}", values_.begin()->first, did_you_mean(values_.begin()->first, known_));
    }
  }

 private:
  static std::vector<uint32_t> split_numbers(std::string_view key, std::string_view value, size_t count,
                                             std::string_view separator) {
    const auto parts = split(value, separator);
    if (parts.size() != count) fail("{}={}: expected {} numbers separated by '{}'", key, value, count, separator);
    std::vector<uint32_t> numbers;
    for (std::string_view part : parts) numbers.push_back(parse_u32(part, key));
    return numbers;
  }

  std::map<std::string_view, std::string_view> values_;
  std::vector<std::string> known_;
};

Deps parse_deps(Operands& operands) {
  Deps deps;
  const auto read = [&](std::string_view key, bool& prev, bool& next) {
    const auto value = operands.optional(key);
    if (!value) return;
    for (std::string_view part : split(*value, ",")) {
      if (part == "prev" && !prev) {
        prev = true;
      } else if (part == "next" && !next) {
        next = true;
      } else {
        fail("{}={}: expected prev, next or prev,next", key, *value);
      }
    }
  };
  read("pop", deps.pop_prev, deps.pop_next);
  read("push", deps.push_prev, deps.push_next);
  return deps;
}

// All that a line can begin with. Only OUT is stored, and only OUT is not loaded.
std::vector<std::string> mnemonics() {
  std::vector<std::string> all;
  for (Memory memory : kAllMemories) {
    all.push_back(fmt::format("{}.{}", memory == Memory::kOut ? "store" : "load", name(memory)));
  }
  for (AluOp op : kAllAluOps) all.push_back(fmt::format("alu.{}", name(op)));
  for (const char* other : {"gemm", "gemm.reset", "finish", ".config", ".tensor", ".uop"}) all.emplace_back(other);
  return all;
}

// Enough of a word to know it by.
std::string_view beginning(std::string_view word) {
  return word.substr(0, 60);
}

class Assembler {
 public:
  Assembler(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  Program run() {
    size_t number = 0, begin = 0;
    for (size_t end = 0; end != std::string_view::npos; begin = end + 1) {
      ++number;
      end = text_.find('\n', begin);
      const std::string_view line = text_.substr(begin, end - begin);
      try {
        parse_line(trim(line.substr(0, comment_start(line))));
      } catch (const Error& e) {
        fail("{}:{}: {}", source_, number, e.what());
      }
    }
    if (!program_) fail("{}: no .config line; write '.config {{...}}' with VTA's keys first", source_);
    check_tables(*program_, source_);
    return std::move(*program_);
  }

 private:
  // A comment starts at the first ';' outside a JSON string.
  static size_t comment_start(std::string_view line) {
    bool quoted = false;
    for (size_t i = 0; i < line.size(); ++i) {
      if (quoted && line[i] == '\\') {
        ++i;  // whatever is escaped, it ends no string
      } else if (line[i] == '"') {
        quoted = !quoted;
      } else if (line[i] == ';' && !quoted) {
        return i;
      }
    }
    return line.size();
  }

  void parse_line(std::string_view line) {
    if (line.empty()) return;
    const std::string_view mnemonic = words(line).front();
    const std::string_view rest = trim(line.substr(mnemonic.size()));
    if (mnemonic == ".config") {
      if (program_) fail("a second .config; a program has one");
      program_ = Program{isa::Config::parse(rest, ".config"), {}, {}, {}, {}};
      codec_.emplace(program_->config);
      return;
    }
    if (!program_) fail("'{}' before .config; write '.config {{...}}' with VTA's keys first", beginning(mnemonic));
    if (mnemonic == ".tensor") {
      parse_tensor(words(rest));
    } else if (mnemonic == ".uop") {
      parse_uop(words(rest));
    } else {
      parse_insn(mnemonic, words(rest));
    }
  }

  void parse_tensor(const std::vector<std::string_view>& parts) {
    if (parts.size() != 4) fail("expected '.tensor NAME MEMORY ELEMENTS input|output'");
    const auto memory = memory_from_name(parts[1]);
    if (!memory) fail("'{}' is no memory; expected {}", parts[1], memory_names());
    const auto role = tensor_role_from_name(parts[3]);
    if (!role) fail("'{}' is no role; expected input or output", parts[3]);
    if (const auto fault = fault_of_tensor_name(parts[0])) fail("{}", *fault);
    if (!symbols_.emplace(parts[0], static_cast<uint32_t>(program_->tensors.size())).second) {
      fail("two tensors are named '{}'", parts[0]);
    }
    program_->tensors.push_back({std::string(parts[0]), *memory, parse_u32(parts[2], "ELEMENTS"), *role});
  }

  void parse_uop(const std::vector<std::string_view>& parts) {
    Operands operands(parts);
    const MicroOp uop{operands.number("dst"), operands.number("src"), operands.number("wgt")};
    operands.refuse_rest();
    codec_->encode(uop);  // refuses values that its fields cannot hold, while the line is known
    program_->uops.push_back(uop);
  }

  void parse_insn(std::string_view mnemonic, const std::vector<std::string_view>& parts) {
    const size_t dot = mnemonic.find('.');
    const std::string_view base = mnemonic.substr(0, dot);
    const auto unknown = [&] {
      fail("unknown mnemonic '{}'{}", beginning(mnemonic), did_you_mean(mnemonic, mnemonics()));
    };
    // What it takes is not known of another.
    constexpr std::array<std::string_view, 5> kBases = {"load", "store", "gemm", "alu", "finish"};
    if (std::find(kBases.begin(), kBases.end(), base) == kBases.end()) unknown();
    Operands operands(parts);
    const std::string_view suffix = dot == std::string_view::npos ? "" : mnemonic.substr(dot + 1);
    Insn insn;
    if (base == "load") {
      insn = Load{{}, parse_transfer(suffix, operands)};
    } else if (base == "store") {
      insn = Store{{}, parse_transfer(suffix, operands)};
    } else if (mnemonic == "gemm" || mnemonic == "gemm.reset") {
      Gemm gemm{{}, suffix == "reset", parse_loop(operands), 0, 0};
      const auto wgt = operands.numbers("wgt", 2);
      gemm.wgt_factor_out = wgt[0];
      gemm.wgt_factor_in = wgt[1];
      insn = gemm;
    } else if (base == "alu") {
      insn = parse_alu(suffix, operands);
    } else if (mnemonic == "finish") {
      insn = Finish{};
    } else {
      unknown();
    }
    deps(insn) = parse_deps(operands);
    operands.refuse_rest();
    codec_->encode(insn);  // as above
    program_->insns.push_back(insn);
  }

  Transfer parse_transfer(std::string_view suffix, Operands& operands) {
    Transfer t;
    const auto memory = memory_from_name(suffix);
    if (!memory) fail("'.{}' is no memory; expected {}", suffix, memory_names("."));
    t.memory = *memory;
    t.sram_base = operands.number("sram");
    t.dram_base = parse_address(operands.required("dram"));
    t.y_size = operands.number("y");
    t.x_size = operands.number("x");
    t.x_stride = operands.number("stride");
    const auto pad = operands.optional_numbers("pad", 4);
    t.y_pad_0 = pad[0];
    t.y_pad_1 = pad[1];
    t.x_pad_0 = pad[2];
    t.x_pad_1 = pad[3];
    return t;
  }

  // "4096", or "NAME+16" with a relocation.
  uint32_t parse_address(std::string_view text) {
    const size_t plus = text.find('+');
    if (plus == std::string_view::npos) return parse_u32(text, "dram");
    const std::string_view symbol = text.substr(0, plus);
    const auto insn = static_cast<uint32_t>(program_->insns.size());
    const auto known = symbols_.find(symbol);
    program_->relocations.push_back({insn, known != symbols_.end() ? known->second : program_->tensor_index(symbol)});
    return parse_u32(text.substr(plus + 1), "dram");
  }

  static Loop parse_loop(Operands& operands) {
    Loop loop;
    const auto uop = operands.numbers("uop", 2, ":");
    loop.uop_bgn = uop[0];
    loop.uop_end = uop[1];
    loop.iter_out = operands.number("out");
    loop.iter_in = operands.number("in");
    const auto dst = operands.numbers("dst", 2);
    loop.dst_factor_out = dst[0];
    loop.dst_factor_in = dst[1];
    const auto src = operands.numbers("src", 2);
    loop.src_factor_out = src[0];
    loop.src_factor_in = src[1];
    return loop;
  }

  Alu parse_alu(std::string_view suffix, Operands& operands) {
    const auto op = alu_op_from_name(suffix);
    if (!op) fail("'.{}' is no ALU operation; expected {}", suffix, alu_op_names("."));
    Alu alu{{}, *op, parse_loop(operands), false, 0};
    if (const auto imm = operands.optional("imm")) {
      const int64_t value = parse_number(*imm, "imm");
      const Field& field = codec_->layout().field(Format::kAlu, FieldId::kImm);
      if (value < field.lowest() || value > field.highest()) {
        fail("imm is {}, expected {} to {}", value, field.lowest(), field.highest());
      }
      alu.use_imm = true;
      alu.imm = static_cast<int32_t>(value);
    }
    return alu;
  }

  std::string_view text_;
  std::string_view source_;
  std::optional<Program> program_;
  std::optional<Codec> codec_;
  std::map<std::string_view, uint32_t> symbols_ = {{kMicroOpSymbol, Relocation::kMicroOps}};
};

}  // namespace

Program assemble(std::string_view text, std::string_view source) {
  if (text.find('\0') != std::string_view::npos) {
    fail("{}: is no assembly, but bytes that are no text; a program file begins with {}, an archive ends in .tar",
         source, "VTAPROG1");
  }
  return Assembler(text, source).run();
}

}  // namespace vantage
