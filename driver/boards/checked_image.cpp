#include "driver/boards/checked_image.h"

#include <algorithm>

#include "hw/spec/assembly.h"
#include "hw/spec/error.h"
#include "hw/spec/legality.h"
#include "hw/spec/verifier.h"

namespace vantage::boards {

using namespace isa;

namespace {

bool overlap(const ByteRange& a, const ByteRange& b) {
  return a.begin < b.end && b.begin < a.end;
}

// Whether a transfer's rows, not only what lies between its first and its last byte, touch a range.
bool rows_touch(const Transfer& t, const spec::Config& config, const ByteRange& range) {
  if (!overlap(dram_range(t, config), range)) return false;
  Transfer row = t;
  row.y_size = 1;
  for (uint32_t y = 0; y < t.y_size; ++y, row.dram_base += t.x_stride) {
    if (overlap(dram_range(row, config), range)) return true;
  }
  return false;
}

}  // namespace

CheckedImage::CheckedImage(const spec::Config& config, BoardMemory memory, const driver::ProgramImage& image)
    : config_(config), codec_(config), memory_(std::move(memory)) {
  decode(image);
  require_own_memory();
  find_micro_ops();
  require_constant(image);
}

void CheckedImage::decode(const driver::ProgramImage& image) {
  if (image.insn_address.count() % kInsnBytes != 0 || image.insn_count > kMaxInsns) {
    fail("a program of {} instructions at 0x{:x} is refused: expected at most {}, at a multiple of {}",
         image.insn_count, image.insn_address.count(), kMaxInsns, kInsnBytes);
  }
  bytes_.resize(image.insn_count * kInsnBytes);
  memory_.read(image.insn_address, bytes_);
  for (uint64_t i = 0; i < image.insn_count; ++i) {
    const Words words = load_words(std::span(bytes_).subspan(i * kInsnBytes).first<kInsnBytes>());
    Decoded decoded = codec_.decode(words);
    if (!decoded.insn) fail("instruction {}: 0x{:016x} 0x{:016x}: {}", i, words[0], words[1], decoded.error);
    insns_.push_back(*decoded.insn);
    counters_ += counted(*decoded.insn, config_);
    steps_ += isa::steps(*decoded.insn);
    if (std::holds_alternative<Finish>(insns_.back())) break;
  }
}

void CheckedImage::require_own_memory() const {
  for (size_t i = 0; i < insns_.size(); ++i) {
    const Transfer* t = transfer(insns_[i]);
    if (t == nullptr || t->moves_nothing()) continue;
    const ByteRange bytes = dram_range(*t, config_);
    if (bytes.begin < memory_.begin || bytes.end > memory_.end) {
      fail(
          "instruction {}: {}: it touches 0x{:x} to 0x{:x}, outside of the board's memory for the FPGA, 0x{:x} to "
          "0x{:x}",
          i, disassemble(insns_[i]), bytes.begin.count(), bytes.end.count(), memory_.begin.count(),
          memory_.end.count());
    }
  }
}

void CheckedImage::find_micro_ops() {
  std::vector<ByteRange> loads;
  for (const Insn& insn : insns_) {
    const auto* load = std::get_if<Load>(&insn);
    if (load == nullptr || load->transfer.memory != Memory::kUop || load->transfer.moves_nothing()) continue;
    loads.push_back(dram_range(load->transfer, config_));
  }
  std::sort(loads.begin(), loads.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  for (const ByteRange& load : loads) {
    if (!micro_ops_.empty() && load.begin <= micro_ops_.back().place.end) {
      micro_ops_.back().place.end = std::max(micro_ops_.back().place.end, load.end);
    } else {
      micro_ops_.push_back({load, {}});
    }
  }
}

void CheckedImage::require_constant(const driver::ProgramImage& image) const {
  const ByteRange program{image.insn_address, image.insn_address + Bytes(bytes_.size())};
  for (size_t i = 0; i < insns_.size(); ++i) {
    const auto* store = std::get_if<Store>(&insns_[i]);
    if (store == nullptr || store->transfer.moves_nothing()) continue;
    if (rows_touch(store->transfer, config_, program)) {
      fail("instruction {}: {}: it stores over the program's own instructions", i, disassemble(insns_[i]));
    }
    for (const MicroOps& loaded : micro_ops_) {
      if (!rows_touch(store->transfer, config_, loaded.place)) continue;
      fail("instruction {}: {}: it stores over micro-ops that the program loads, at 0x{:x} to 0x{:x}", i,
           disassemble(insns_[i]), loaded.place.begin.count(), loaded.place.end.count());
    }
  }
}

bool CheckedImage::read_micro_ops() {
  bool changed = false;
  for (MicroOps& loaded : micro_ops_) {
    std::vector<std::byte> now((loaded.place.end - loaded.place.begin).count());
    memory_.read(loaded.place.begin, now);
    if (now == loaded.bytes) continue;
    changed = true;
    loaded.bytes = std::move(now);
  }
  return changed;
}

MicroOp CheckedImage::micro_op(Bytes address) const {
  auto loaded = std::upper_bound(micro_ops_.begin(), micro_ops_.end(), address,
                                 [](Bytes a, const MicroOps& b) { return a < b.place.begin; });
  VANTAGE_CHECK(loaded != micro_ops_.begin());
  --loaded;
  const Bytes offset = address - loaded->place.begin;
  return codec_.decode_uop(
      load_u32(std::span<const std::byte>(loaded->bytes).subspan(offset.count()).first<kMicroOpBytes>()));
}

std::string CheckedImage::refusal(std::span<const MicroOp> scratchpad) const {
  VerifyOptions options;
  options.dram_size = memory_.end;
  options.initial_uops.assign(scratchpad.begin(), scratchpad.end());
  const auto read = [&](uint64_t element) { return micro_op(Bytes(element * kMicroOpBytes)); };
  for (const Diagnostic& d : verify(insns_, config_, read, options)) {
    if (d.severity == Diagnostic::Severity::kError) return d.text;
  }
  return "";
}

void CheckedImage::require_legal(std::span<const MicroOp> scratchpad) {
  if (read_micro_ops()) was_legal_ = false;
  if (was_legal_ && (!needs_scratchpad_ || std::equal(scratchpad.begin(), scratchpad.end(), legal_scratchpad_.begin(),
                                                      legal_scratchpad_.end()))) {
    return;
  }
  if (!was_legal_) {
    // Indices grow with the fields of a micro-op: what is legal with the greatest everywhere is legal with any.
    const std::vector<MicroOp> greatest(scratchpad.size(), codec_.decode_uop(~uint32_t{0}));
    needs_scratchpad_ = !refusal(greatest).empty();
  }
  if (needs_scratchpad_) {
    was_legal_ = false;
    if (const std::string why = refusal(scratchpad); !why.empty()) fail("the program is refused: {}", why);
    legal_scratchpad_.assign(scratchpad.begin(), scratchpad.end());
  }
  was_legal_ = true;
}

// In the order of the stage that runs them.
void CheckedImage::load_micro_ops(std::vector<MicroOp>& scratchpad) const {
  for (const Insn& insn : insns_) {
    const auto* load = std::get_if<Load>(&insn);
    if (load == nullptr || load->transfer.memory != Memory::kUop || load->transfer.moves_nothing()) continue;
    const Bytes from(uint64_t{load->transfer.dram_base} * kMicroOpBytes);
    for (uint32_t i = 0; i < load->transfer.x_size; ++i) {
      scratchpad[load->transfer.sram_base + i] = micro_op(from + Bytes(i * kMicroOpBytes));
    }
  }
}

}  // namespace vantage::boards
