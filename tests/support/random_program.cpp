#include "tests/support/random_program.h"

#include <algorithm>
#include <random>

#include "base/error.h"
#include "compiler/backend/vta/finishing/insert_tokens.h"
#include "hw/isa/codec.h"
#include "hw/isa/legality.h"

namespace vantage::test {

using namespace isa;
using vta::Access;

namespace {

class Generator {
 public:
  Generator(const isa::Config& config, uint64_t seed)
      : program_{config, {}, {}, seed}, codec_(config), random_(seed), uops_(config.depth(Memory::kUop).count()) {
    program_.data.resize(RandomProgram::kInsnAddress);
    for (std::byte& byte : program_.data) byte = static_cast<std::byte>(random_());
    scatter_micro_ops();
  }

  RandomProgram run(size_t count) {
    while (program_.insns.size() < count) {
      // A drawn instruction may reach past a scratchpad or memory; then another is drawn.
      const Insn insn = draw();
      if (!legal(insn)) continue;
      if (const auto* load = std::get_if<Load>(&insn)) track_uops(load->transfer);
      program_.insns.push_back(insn);
    }
    return std::move(program_);
  }

 private:
  uint32_t pick(uint64_t low, uint64_t high) {
    return static_cast<uint32_t>(std::uniform_int_distribution<uint64_t>(low, high)(random_));
  }
  bool chance(int percent) { return pick(0, 99) < static_cast<uint32_t>(percent); }
  uint64_t depth(Memory memory) const { return program_.config.depth(memory).count(); }

  // The last quarter of data holds micro-ops with small indices; random bits would rarely be in range. Neighbours
  // mostly lie near each other, and often have the same source.
  static constexpr uint64_t kUopAddress = RandomProgram::kInsnAddress / 4 * 3;
  void scatter_micro_ops() {
    const uint64_t sources = std::min(depth(Memory::kInp), depth(Memory::kAcc));
    MicroOp uop;
    for (uint64_t at = kUopAddress; at < program_.data.size(); at += kMicroOpBytes) {
      const auto index = [&](Memory memory) { return pick(0, (depth(memory) - 1) / (chance(50) ? 1 : 4)); };
      if (chance(80)) {
        uop.dst = static_cast<uint32_t>(std::min<uint64_t>(uop.dst + pick(0, 2), depth(Memory::kAcc) - 1));
        if (chance(50)) uop.src = static_cast<uint32_t>(std::min<uint64_t>(uop.src + pick(0, 2), sources - 1));
      } else {
        uop = {index(Memory::kAcc), std::min(index(Memory::kInp), index(Memory::kAcc)), 0};
      }
      uop.wgt = index(Memory::kWgt);
      store_u32(codec_.encode(uop), std::span(program_.data).subspan(at).first<kMicroOpBytes>());
    }
  }

  Insn draw() {
    switch (pick(0, 9)) {
      case 0: return Load{{}, transfer(Memory::kUop)};
      case 1: return Load{{}, transfer(Memory::kInp)};
      case 2: return Load{{}, transfer(Memory::kWgt)};
      case 3: return Load{{}, transfer(Memory::kAcc)};
      case 4: return Load{{}, transfer(chance(50) ? Memory::kAcc8 : Memory::kAcc)};
      case 5:
      case 6: return Store{{}, transfer(Memory::kOut)};
      case 7: return Alu{{}, kAllAluOps[pick(0, 4)], loop(Memory::kAcc), false, 0};
      case 8: return Alu{{}, kAllAluOps[pick(0, 4)], loop(Memory::kAcc), true, immediate()};
      default: return Gemm{{}, chance(10), loop(Memory::kInp), factor(Memory::kWgt), factor(Memory::kWgt)};
    }
  }

  int32_t immediate() { return static_cast<int16_t>(chance(50) ? pick(0, 80) - 40 : pick(0, 0xffff)); }

  Transfer transfer(Memory memory) {
    Transfer t;
    t.memory = memory;
    const uint64_t element = program_.config.element_size(memory).count();
    const uint64_t scratchpad = depth(memory);
    t.sram_base = pick(0, scratchpad - 1);
    // Mostly short rows; now and then one of several bursts.
    t.x_size = chance(3) ? 0 : pick(1, std::min<uint64_t>(scratchpad, chance(5) ? 600 : 12));
    if (memory == Memory::kUop) {
      t.y_size = 1;
      t.x_stride = t.x_size;
      t.dram_base = static_cast<uint32_t>(kUopAddress / element) + pick(0, 1000);
      return t;
    }
    t.y_size = chance(3) ? 0 : pick(1, chance(5) ? 40 : 4);
    t.x_stride = chance(20) ? t.x_size : pick(0, chance(10) ? 400 : 20);
    // Stores stay below the micro-ops, so that these are known in advance.
    t.dram_base = pick(0, kUopAddress / element);
    if (memory != Memory::kOut && chance(30)) {
      const uint32_t most = chance(20) ? 15 : 2;
      t.y_pad_0 = pick(0, most);
      t.y_pad_1 = pick(0, most);
      t.x_pad_0 = pick(0, most);
      t.x_pad_1 = pick(0, most);
    }
    return t;
  }

  uint32_t factor(Memory memory) { return pick(0, std::min<uint64_t>(depth(memory) - 1, 3)); }

  Loop loop(Memory source) {
    Loop l;
    // Mostly micro-ops that were loaded last
    l.uop_bgn =
        chance(70) ? pick(loaded_.sram_base, loaded_.sram_base + loaded_.x_size - 1) : pick(0, uops_.size() - 1);
    l.uop_end = static_cast<uint32_t>(std::min<uint64_t>(uops_.size(), l.uop_bgn + pick(0, 6)));
    l.iter_out = pick(chance(5) ? 0 : 1, 3);
    l.iter_in = pick(chance(5) ? 0 : 1, 5);
    l.dst_factor_out = factor(Memory::kAcc);
    l.dst_factor_in = factor(Memory::kAcc);
    l.src_factor_out = factor(source);
    l.src_factor_in = factor(source);
    return l;
  }

  bool legal(const Insn& insn) const {
    const Bytes data(RandomProgram::kInsnAddress);
    const Bytes stores_end(kUopAddress);
    if (const auto* load = std::get_if<Load>(&insn)) return !check(*load, program_.config, data);
    if (const auto* store = std::get_if<Store>(&insn)) return !check(*store, program_.config, stores_end);
    if (const auto* gemm = std::get_if<Gemm>(&insn)) return !check(*gemm, program_.config, uops_);
    return !check(std::get<Alu>(insn), program_.config, uops_);
  }

  void track_uops(const Transfer& t) {
    if (t.memory != Memory::kUop || t.x_size == 0) return;
    for (uint32_t i = 0; i < t.x_size; ++i) {
      const auto bytes = std::span<const std::byte>(program_.data).subspan((t.dram_base + i) * kMicroOpBytes);
      uops_[t.sram_base + i] = codec_.decode_uop(load_u32(bytes.first<kMicroOpBytes>()));
    }
    loaded_ = {t.sram_base, t.x_size};
  }

  RandomProgram program_;
  Codec codec_;
  std::mt19937_64 random_;
  std::vector<MicroOp> uops_;
  struct {
    uint32_t sram_base = 0, x_size = 1;
  } loaded_;  // of the last load of micro-ops
};

// What each instruction touches, as intervals.
class Accesses {
 public:
  explicit Accesses(const RandomProgram& program)
      : program_(program), codec_(program.config), uops_(program.config.depth(Memory::kUop).count()) {}

  std::vector<Access> of(const Insn& insn) {
    if (const Transfer* t = transfer(insn)) return of_transfer(*t, std::holds_alternative<Load>(insn));
    if (const auto* gemm = std::get_if<Gemm>(&insn)) {
      auto list = of_loop(gemm->loop, true);
      if (!gemm->reset) {
        add(list, Access::Space::kInp, gemm->loop, &MicroOp::src, gemm->loop.src_factor_out, gemm->loop.src_factor_in,
            false);
        add(list, Access::Space::kWgt, gemm->loop, &MicroOp::wgt, gemm->wgt_factor_out, gemm->wgt_factor_in, false);
      }
      return list;
    }
    return of_loop(std::get<Alu>(insn).loop, true);  // its sources are the compute stage's own
  }

 private:
  std::vector<Access> of_transfer(const Transfer& t, bool is_load) {
    if (t.moves_nothing()) return {};
    if (t.memory == Memory::kUop) {
      for (uint32_t i = 0; i < t.x_size; ++i) {
        const auto bytes = std::span<const std::byte>(program_.data).subspan((t.dram_base + i) * kMicroOpBytes);
        uops_[t.sram_base + i] = codec_.decode_uop(load_u32(bytes.first<kMicroOpBytes>()));
      }
      return {};  // the compute stage's own, from a part of memory that is never stored to
    }
    const auto space = t.memory == Memory::kInp   ? Access::Space::kInp
                       : t.memory == Memory::kWgt ? Access::Space::kWgt
                                                  : Access::Space::kAcc;
    const ByteRange bytes = dram_range(t, program_.config);
    return {{space, 0, t.sram_base, t.sram_base + t.padded_row() * t.padded_rows(), is_load},
            {Access::Space::kTensor, 0, bytes.begin.count(), bytes.end.count(), !is_load}};
  }

  std::vector<Access> of_loop(const Loop& loop, bool is_write) {
    std::vector<Access> list;
    add(list, Access::Space::kAcc, loop, &MicroOp::dst, loop.dst_factor_out, loop.dst_factor_in, is_write);
    return list;
  }

  void add(std::vector<Access>& list, Access::Space space, const Loop& loop, uint32_t MicroOp::*field,
           uint32_t factor_out, uint32_t factor_in, bool is_write) {
    if (loop.steps() == 0) return;
    uint64_t low = UINT64_MAX;
    uint64_t high = 0;
    for (uint32_t u = loop.uop_bgn; u < loop.uop_end; ++u) {
      low = std::min<uint64_t>(low, uops_[u].*field);
      high = std::max<uint64_t>(high, uops_[u].*field);
    }
    high += uint64_t{loop.iter_out - 1} * factor_out + uint64_t{loop.iter_in - 1} * factor_in;
    list.push_back({space, 0, low, high + 1, is_write});
  }

  const RandomProgram& program_;
  Codec codec_;
  std::vector<MicroOp> uops_;
};

}  // namespace

RandomProgram random_program(const isa::Config& config, uint64_t seed, size_t insn_count) {
  return Generator(config, seed).run(insn_count);
}

namespace {

// Adds pairs of a push and a later pop that nothing needs. The n-th pop of a queue waits for its n-th push, so a pair
// may only go where it leaves the others matched as they were.
void add_needless_tokens(std::vector<Insn>& insns, uint64_t seed) {
  struct Queue {
    Stage producer, consumer;
    bool Deps::*push;
    bool Deps::*pop;
  };
  constexpr Queue kQueues[] = {{Stage::kLoad, Stage::kCompute, &Deps::push_next, &Deps::pop_prev},
                               {Stage::kCompute, Stage::kLoad, &Deps::push_prev, &Deps::pop_next},
                               {Stage::kCompute, Stage::kStore, &Deps::push_next, &Deps::pop_prev},
                               {Stage::kStore, Stage::kCompute, &Deps::push_prev, &Deps::pop_next}};
  std::mt19937_64 random(seed);
  const auto pick = [&](size_t below) { return std::uniform_int_distribution<size_t>(0, below - 1)(random); };
  for (size_t tries = insns.size() / 4; tries > 0; --tries) {
    const Queue& q = kQueues[pick(std::size(kQueues))];
    const size_t from = pick(insns.size());
    const size_t to = std::min(from + 1 + pick(8), insns.size() - 1);
    if (stage(insns[from]) != q.producer || stage(insns[to]) != q.consumer) continue;
    if (deps(insns[from]).*q.push || deps(insns[to]).*q.pop) continue;
    const auto count = [&](Stage s, bool Deps::*bit, size_t end) {
      return std::count_if(insns.begin(), insns.begin() + static_cast<ptrdiff_t>(end),
                           [&](const Insn& i) { return stage(i) == s && deps(i).*bit; });
    };
    if (count(q.producer, q.push, from) != count(q.consumer, q.pop, to)) continue;
    deps(insns[from]).*q.push = true;
    deps(insns[to]).*q.pop = true;
  }
}

}  // namespace

std::vector<Insn> with_tokens(const RandomProgram& program) {
  Accesses accesses(program);
  vta::OperationList list{program.config};
  for (const Insn& insn : program.insns) list.operations.push_back({.insn = insn, .accesses = accesses.of(insn)});
  std::vector<Insn> insns;
  for (vta::Operation& o : vta::insert_tokens(std::move(list)).operations) insns.push_back(std::move(o.insn));
  add_needless_tokens(insns, program.seed);
  // Bits that name a neighbour that does not exist must be ignored.
  for (size_t i = 0; i < insns.size(); ++i) {
    Deps& d = deps(insns[i]);
    if (stage(insns[i]) == Stage::kLoad) d.pop_prev = d.push_prev = i % 3 == 0;
    if (stage(insns[i]) == Stage::kStore) d.pop_next = d.push_next = i % 3 == 0;
  }
  return insns;
}

DramImage image_of(const RandomProgram& program) {
  const auto insns = with_tokens(program);
  VANTAGE_CHECK(RandomProgram::kInsnAddress + insns.size() * kInsnBytes <= RandomProgram::kDramBytes);
  DramImage image{program.data, insns.size()};
  image.bytes.resize(RandomProgram::kDramBytes);
  const Codec codec(program.config);
  auto out = std::span(image.bytes).subspan(RandomProgram::kInsnAddress);
  for (const Insn& insn : insns) {
    store_words(codec.encode(insn), out.first<kInsnBytes>());
    out = out.subspan(kInsnBytes);
  }
  return image;
}

Bundle bundle_of(const RandomProgram& program, const std::string& name, const std::vector<std::byte>& expected) {
  const auto text = [](std::span<const std::byte> bytes) {
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const DramImage image = image_of(program);
  return {name,
          program.config,
          Bytes(RandomProgram::kInsnAddress),
          image.insn_count,
          {{Bytes(0), text(image.bytes)}},
          {{Bytes(0), text(std::span(expected).first(RandomProgram::kInsnAddress))}},
          {}};
}

}  // namespace vantage::test
