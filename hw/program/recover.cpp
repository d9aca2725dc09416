#include "hw/program/recover.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/math.h"
#include "hw/isa/codec.h"
#include "hw/isa/register_map.h"

namespace vantage {

using isa::Memory;

namespace {

// A piece of memory that becomes a tensor or micro-ops, in bytes.
struct Piece {
  uint64_t begin, end;
  std::string name = {};
  bool is_output = false;
  std::optional<Memory> memory = {};  // of the first instruction that reaches it
  bool is_shared = false;             // as micro-ops and as something else
  size_t order = 0;                   // among the tensors of the program
  uint32_t symbol = 0;                // of the program: a tensor, or the first of these micro-ops
};

struct Reach {
  uint64_t begin, end;  // in bytes
};

Reach reach_of(const isa::Transfer& t, const isa::Config& config) {
  const uint64_t element = config.element_size(t.memory).count();
  const uint64_t begin = t.dram_base * element;
  if (t.moves_nothing()) return {begin, begin};
  const uint64_t end = begin + (uint64_t{t.y_size - 1} * t.x_stride + t.x_size) * element;
  return {begin, std::min(end, isa::kAddressSpace.count())};
}

std::vector<isa::Insn> decoded(const Bundle& bundle) {
  const isa::Codec codec(bundle.config);
  std::vector<isa::Insn> insns;
  for (const isa::Words& words : bundle.insns()) {
    isa::Decoded one = codec.decode(words);
    if (!one.insn) fail("{}: instruction {}: {}", bundle.name, insns.size(), one.error);
    insns.push_back(*one.insn);
  }
  return insns;
}

// Sorted by where they begin; of those that overlap one.
std::vector<Piece> merged(std::vector<Piece> pieces) {
  std::erase_if(pieces, [](const Piece& piece) { return piece.begin >= piece.end; });
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  std::vector<Piece> result;
  for (Piece& piece : pieces) {
    if (!result.empty() && piece.begin < result.back().end) {
      result.back().end = std::max(result.back().end, piece.end);
    } else {
      result.push_back(std::move(piece));
    }
  }
  return result;
}

std::vector<Piece> symbols_of(const Bundle& bundle) {
  std::vector<Piece> pieces;
  for (const BundleSymbol& s : bundle.symbols) {
    pieces.push_back({s.address.count(), s.address.count() + s.size.count(), s.name, s.is_output});
    pieces.back().order = pieces.size();
  }
  return merged(std::move(pieces));
}

// What a recorder kept as one is one tensor, unless it holds the instructions, or micro-ops and something else: a whole
// memory says nothing.
std::vector<Piece> segments_of(const Bundle& bundle, const std::vector<Piece>& reached, const Piece& instructions) {
  std::vector<Piece> pieces;
  for (const auto* segments : {&bundle.memory, &bundle.expect}) {
    for (const MemorySegment& segment : *segments) {
      pieces.push_back({segment.address.count(), segment.address.count() + segment.bytes.size()});
    }
  }
  pieces = merged(std::move(pieces));
  std::erase_if(pieces, [&](const Piece& piece) {
    const auto overlaps = [&](const Piece& other) { return other.begin < piece.end && piece.begin < other.end; };
    const auto holds = [&](bool uops) {
      return std::any_of(reached.begin(), reached.end(),
                         [&](const Piece& r) { return (r.memory == Memory::kUop) == uops && overlaps(r); });
    };
    return overlaps(instructions) || (holds(true) && holds(false));
  });
  return pieces;
}

std::vector<Piece> pieces_of(const Bundle& bundle, const std::vector<isa::Insn>& insns) {
  const uint64_t begin = bundle.insn_address.count();
  const Piece instructions{begin, begin + insns.size() * isa::kInsnBytes};
  std::vector<Piece> pieces = symbols_of(bundle);
  if (pieces.empty()) {
    std::vector<Piece> reached;
    for (const isa::Insn& insn : insns) {
      const isa::Transfer* t = isa::transfer(insn);
      if (t == nullptr || t->moves_nothing()) continue;
      const Reach reach = reach_of(*t, bundle.config);
      reached.push_back({reach.begin, reach.end});
      reached.back().memory = t->memory;
    }
    pieces = segments_of(bundle, reached, instructions);
    for (const Piece& piece : reached) pieces.push_back({piece.begin, piece.end});
    pieces = merged(std::move(pieces));
  }
  std::erase_if(pieces,
                [&](const Piece& piece) { return piece.begin < instructions.end && instructions.begin < piece.end; });
  return pieces;
}

class Recovery {
 public:
  explicit Recovery(const Bundle& bundle)
      : bundle_(bundle),
        program_{bundle.config, decoded(bundle), {}, {}, {}},
        pieces_(pieces_of(bundle, program_.insns)) {}

  RecoveredProgram run() {
    for (const isa::Insn& insn : program_.insns) look_at(insn);
    std::vector<Piece*> in_order;
    for (Piece& piece : pieces_) in_order.push_back(&piece);
    std::stable_sort(in_order.begin(), in_order.end(),
                     [](const Piece* a, const Piece* b) { return a->order < b->order; });
    for (Piece* piece : in_order) name(*piece);
    for (uint32_t i = 0; i < program_.insns.size(); ++i) relocate(i);
    check_tables(program_, bundle_.name);
    return {std::move(program_), std::move(tensors_)};
  }

 private:
  Piece* piece_at(uint64_t address) {
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), address,
                                        [](uint64_t at, const Piece& piece) { return at < piece.begin; });
    if (after == pieces_.begin() || std::prev(after)->end <= address) return nullptr;
    return &*std::prev(after);
  }

  void look_at(const isa::Insn& insn) {
    const isa::Transfer* t = isa::transfer(insn);
    if (t == nullptr || t->moves_nothing()) return;
    Piece* piece = piece_at(reach_of(*t, bundle_.config).begin);
    if (piece == nullptr) return;
    if (bundle_.symbols.empty() && std::holds_alternative<isa::Store>(insn)) piece->is_output = true;
    if (!piece->memory) piece->memory = t->memory;
    if ((*piece->memory == Memory::kUop) != (t->memory == Memory::kUop)) piece->is_shared = true;
  }

  void name(Piece& piece) {
    // What is far larger than any scratchpad is no table of micro-ops.
    constexpr uint64_t kMostMicroOps = uint64_t{1} << 22;
    const uint64_t uops = program_.uops.size() + (piece.end - piece.begin) / isa::kMicroOpBytes;
    if (piece.memory == Memory::kUop && uops > kMostMicroOps) piece.is_shared = true;
    if (!piece.memory || piece.is_shared) return;
    if (*piece.memory == Memory::kUop) {
      piece.symbol = static_cast<uint32_t>(program_.uops.size());
      const isa::Codec codec(bundle_.config);
      const std::string bytes = bundle_.initial_bytes(Bytes(piece.begin), Bytes(piece.end - piece.begin));
      for (auto rest = as_bytes(bytes); rest.size() >= isa::kMicroOpBytes; rest = rest.subspan(isa::kMicroOpBytes)) {
        program_.uops.push_back(codec.decode_uop(isa::load_u32(rest.first<isa::kMicroOpBytes>())));
      }
      return;
    }
    piece.symbol = static_cast<uint32_t>(program_.tensors.size());
    if (piece.name.empty()) {
      piece.name = fmt::format("{}{}", isa::name(*piece.memory), named_[static_cast<size_t>(*piece.memory)]++);
    }
    const uint64_t elements = ceil_div(piece.end - piece.begin, bundle_.config.element_size(*piece.memory).count());
    tensors_.emplace_back(piece.begin);
    program_.tensors.push_back({piece.name, *piece.memory,
                                static_cast<uint32_t>(std::min<uint64_t>(elements, UINT32_MAX)),
                                piece.is_output ? TensorRole::kOutput : TensorRole::kInput});
  }

  void relocate(uint32_t index) {
    isa::Transfer* t = isa::transfer(program_.insns[index]);
    if (t == nullptr) return;
    const Reach reach = reach_of(*t, bundle_.config);
    const Piece* piece = piece_at(reach.begin);
    if (piece == nullptr || !piece->memory || piece->is_shared) return;
    const uint64_t element = bundle_.config.element_size(t->memory).count();
    const bool of_uops = *piece->memory == Memory::kUop;
    if (piece->begin % element != 0 || (of_uops && t->memory != Memory::kUop)) return;
    t->dram_base = static_cast<uint32_t>((reach.begin - piece->begin) / element) + (of_uops ? piece->symbol : 0);
    program_.relocations.push_back({index, of_uops ? Relocation::kMicroOps : piece->symbol});
  }

  const Bundle& bundle_;
  Program program_;
  std::vector<Piece> pieces_;
  std::vector<Bytes> tensors_;
  std::map<size_t, int> named_;  // how many of each memory have a name
};

}  // namespace

RecoveredProgram recover_program(const Bundle& bundle) {
  return Recovery(bundle).run();
}

}  // namespace vantage
