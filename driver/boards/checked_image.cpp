#include "driver/boards/checked_image.h"

#include <algorithm>

#include "base/error.h"
#include "base/stop.h"
#include "hw/isa/disassemble.h"
#include "hw/isa/legality.h"
#include "hw/program/verifier.h"

namespace vantage::boards {

using namespace isa;

namespace {

bool overlap(const ByteRange& a, const ByteRange& b) {
  return a.begin < b.end && b.begin < a.end;
}

// Whether a transfer's rows, not only what lies between its first and its last byte, touch a range.
bool rows_touch(const Transfer& t, const isa::Config& config, const ByteRange& range) {
  if (!overlap(dram_range(t, config), range)) return false;
  if (t.y_size == 1 || t.x_stride == 0) return true;
  Transfer row = t;
  row.y_size = 1;
  const ByteRange first = dram_range(row, config);
  if (first.end > range.begin) return true;
  // The first row that ends behind the range's begin: rows before it end too early, those after it begin later.
  const Bytes stride = config.element_size(t.memory) * t.x_stride;
  const uint64_t y = (range.begin - first.end) / stride + 1;
  return y < t.y_size && first.begin + stride * y < range.end;
}

}  // namespace

CheckedImage::CheckedImage(const isa::Config& config, BoardMemory memory, const driver::ProgramImage& image,
                           const std::stop_token& stop)
    : config_(config), codec_(config), memory_(std::move(memory)) {
  decode(image, stop);
  require_own_memory();
  find_micro_ops();
  require_constant(image, stop);
}

void CheckedImage::decode(const driver::ProgramImage& image, const std::stop_token& stop) {
  if (image.insn_address.count() % kInsnBytes != 0 || image.insn_count > kMaxInsns) {
    fail("a program of {} instructions at 0x{:x} is refused: expected at most {}, at a multiple of {}",
         image.insn_count, image.insn_address.count(), kMaxInsns, kInsnBytes);
  }
  bytes_.resize(image.insn_count * kInsnBytes);
  memory_.read(image.insn_address, bytes_);
  for (uint64_t i = 0; i < image.insn_count; ++i) {
    require_going_on(stop);
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

void CheckedImage::require_constant(const driver::ProgramImage& image, const std::stop_token& stop) {
  const ByteRange program{image.insn_address, image.insn_address + Bytes(bytes_.size())};
  for (size_t i = 0; i < insns_.size(); ++i) {
    require_going_on(stop);
    const auto* store = std::get_if<Store>(&insns_[i]);
    if (store == nullptr || store->transfer.moves_nothing()) continue;
    const ByteRange stored = dram_range(store->transfer, config_);
    stored_ = stored_.end == Bytes(0)
                  ? stored
                  : ByteRange{std::min(stored_.begin, stored.begin), std::max(stored_.end, stored.end)};
    if (rows_touch(store->transfer, config_, program)) {
      fail("instruction {}: {}: it stores over the program's own instructions", i, disassemble(insns_[i]));
    }
    // Between its rows as well: there the verifier takes micro-ops for unknown.
    const auto loaded = std::upper_bound(micro_ops_.begin(), micro_ops_.end(), stored.begin,
                                         [](Bytes at, const MicroOps& m) { return at < m.place.end; });
    if (loaded == micro_ops_.end() || loaded->place.begin >= stored.end) continue;
    fail("instruction {}: {}: it stores over or around micro-ops that the program loads, at 0x{:x} to 0x{:x}", i,
         disassemble(insns_[i]), loaded->place.begin.count(), loaded->place.end.count());
  }
}

void CheckedImage::read_micro_ops() {
  for (MicroOps& loaded : micro_ops_) {
    std::vector<std::byte> now((loaded.place.end - loaded.place.begin).count());
    memory_.read(loaded.place.begin, now);
    if (now == loaded.bytes) continue;
    was_legal_ = false;
    loaded.bytes = std::move(now);
  }
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

std::string CheckedImage::refusal(std::span<const MicroOp> scratchpad, const std::stop_token& stop) const {
  VerifyOptions options;
  options.stop = stop;
  options.dram_size = memory_.end;
  options.initial_uops.assign(scratchpad.begin(), scratchpad.end());
  const auto read = [&](uint64_t element) { return micro_op(Bytes(element * kMicroOpBytes)); };
  for (const Diagnostic& d : verify(insns_, config_, read, options)) {
    if (d.severity == Diagnostic::Severity::kError) return d.text;
  }
  return "";
}

void CheckedImage::require_possible(const std::stop_token& stop) {
  read_micro_ops();
  // The smallest indices there are.
  const std::vector<MicroOp> zeros(config_.depth(Memory::kUop).count());
  if (const std::string why = refusal(zeros, stop); !why.empty()) fail("the program is refused: {}", why);
}

void CheckedImage::require_legal(std::span<const MicroOp> scratchpad, const std::stop_token& stop) {
  read_micro_ops();
  if (was_legal_ && (!needs_scratchpad_ || std::equal(scratchpad.begin(), scratchpad.end(), legal_scratchpad_.begin(),
                                                      legal_scratchpad_.end()))) {
    return;
  }
  if (!was_legal_) {
    // Indices grow with the fields of a micro-op: what is legal with the greatest everywhere is legal with any.
    const std::vector<MicroOp> greatest(scratchpad.size(), codec_.decode_uop(~uint32_t{0}));
    needs_scratchpad_ = !refusal(greatest, stop).empty();
  }
  if (needs_scratchpad_) {
    was_legal_ = false;
    if (const std::string why = refusal(scratchpad, stop); !why.empty()) fail("the program is refused: {}", why);
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
