#include "driver/boards/clock.h"

#include <fcntl.h>

#include <array>

#include "base/error.h"

namespace vantage::boards {

namespace {

constexpr uint32_t kMostDivider = 63;

struct Field {
  int shift;
  uint32_t mask;
  uint32_t of(uint32_t word) const { return word >> shift & mask; }
  uint32_t set(uint32_t word, uint32_t value) const { return (word & ~(mask << shift)) | value << shift; }
};

struct Pll {
  uint32_t source;  // as the clock's source field names it
  uint32_t offset;  // of its control register
};

// Where a family has what.
struct ClockRegisters {
  uint64_t base;
  std::array<Pll, 4> plls;
  Field multiplier;
  Field halved;  // the PLL's output is half of its oscillator's rate
  uint32_t control;
  Field source, first, second;
  uint32_t active;  // bits of `control` that let the clock through
  // A lock against stray writes; keys of 0: there is none.
  uint32_t locked;  // whether it is
  uint32_t unlock, unlock_key;
  uint32_t lock, lock_key;
};

constexpr ClockRegisters kZynq7000 = {
    .base = 0xf8000000,
    // IO, IO, ARM, DDR
    .plls = {{{0, 0x108}, {1, 0x108}, {2, 0x100}, {3, 0x104}}},
    .multiplier = {12, 0x7f},
    .halved = {0, 0},
    .control = 0x170,
    .source = {4, 3},
    .first = {8, 0x3f},
    .second = {20, 0x3f},
    .active = 0,
    .locked = 0x00c,
    .unlock = 0x008,
    .unlock_key = 0xdf0d,
    .lock = 0x004,
    .lock_key = 0x767b,
};

constexpr ClockRegisters kUltraScale = {
    .base = 0xff5e0000,
    // IO, none, RPU; the DPLL's register lies elsewhere
    .plls = {{{0, 0x020}, {0, 0x020}, {2, 0x030}, {2, 0x030}}},
    .multiplier = {8, 0x7f},
    .halved = {16, 1},
    .control = 0x0c0,
    .source = {0, 7},
    .first = {8, 0x3f},
    .second = {16, 0x3f},
    .active = 1u << 24,
    .locked = 0,
    .unlock = 0,
    .unlock_key = 0,
    .lock = 0,
    .lock_key = 0,
};

class ClockWindow {
 public:
  ClockWindow(System& system, const fpga::Board& board)
      : system_(system),
        registers_(board.family == "xc7" ? kZynq7000 : kUltraScale),
        file_(system, "/dev/mem", O_RDWR | O_SYNC),
        mapping_(system, file_, Bytes(0x1000), registers_.base) {}

  const ClockRegisters& registers() const { return registers_; }
  uint32_t load(uint32_t offset) { return system_.load(at(offset)); }
  // Of a PLL's output; 0: it does not run.
  double hertz(const Pll& pll, const fpga::Board& board) {
    const uint32_t control = load(pll.offset);
    const double hertz = static_cast<double>(board.ps_clock_hz) * registers_.multiplier.of(control);
    return registers_.halved.of(control) != 0 ? hertz / 2 : hertz;
  }

  void put_control(uint32_t value) {
    // Linux leaves these registers unlocked, and could not restart the board if they were not.
    const bool locked = registers_.unlock_key != 0 && (load(registers_.locked) & 1) != 0;
    if (locked) system_.store(at(registers_.unlock), registers_.unlock_key);
    system_.store(at(registers_.control), value);
    if (locked) system_.store(at(registers_.lock), registers_.lock_key);
    if (const uint32_t now = load(registers_.control); now != value) {
      fail("the FPGA's clock register holds 0x{:08x} after 0x{:08x} was written; does the firmware protect it?", now,
           value);
    }
  }

 private:
  volatile uint32_t* at(uint32_t offset) const {
    return reinterpret_cast<volatile uint32_t*>(mapping_.data() + offset);
  }

  System& system_;
  const ClockRegisters& registers_;
  const File file_;
  const Mapping mapping_;
};

}  // namespace

Dividers choose_dividers(double pll_hertz, double wanted_hertz) {
  Dividers best{0, 0, 0};
  for (uint32_t first = 1; first <= kMostDivider; ++first) {
    for (uint32_t second = 1; second <= kMostDivider; ++second) {
      const double hertz = pll_hertz / first / second;
      // Rates are products of roundings: a part in a million is the same.
      if (hertz <= wanted_hertz * (1 + 1e-6) && hertz > best.hertz) best = {first, second, hertz};
    }
  }
  if (best.first == 0) {
    fail("a clock of {:.3f} MHz cannot be had from a PLL of {:.0f} MHz: dividers reach {} x {}", wanted_hertz / 1e6,
         pll_hertz / 1e6, kMostDivider, kMostDivider);
  }
  return best;
}

void set_fabric_clock(System& system, const fpga::Board& board, double wanted_hertz) {
  ClockWindow window(system, board);
  const ClockRegisters& registers = window.registers();
  uint32_t control = window.load(registers.control);
  // The source that the image chose stays, unless this table does not know it.
  uint32_t source = registers.source.of(control);
  if (source >= registers.plls.size()) source = 0;
  const Pll& pll = registers.plls[source];
  const double pll_hertz = window.hertz(pll, board);
  if (pll_hertz == 0) fail("the processing system's PLL does not run, so the FPGA's clock cannot be set");
  const Dividers dividers = choose_dividers(pll_hertz, wanted_hertz);

  control = registers.source.set(control, pll.source);
  control = registers.first.set(control, dividers.first);
  control = registers.second.set(control, dividers.second) | registers.active;
  window.put_control(control);
}

double fabric_clock(System& system, const fpga::Board& board) {
  ClockWindow window(system, board);
  const ClockRegisters& registers = window.registers();
  const uint32_t control = window.load(registers.control);
  const uint32_t source = registers.source.of(control);
  const uint32_t divided = registers.first.of(control) * registers.second.of(control);
  const bool is_known = source < registers.plls.size() && registers.plls[source].source == source && divided != 0;
  const double pll_hertz = is_known ? window.hertz(registers.plls[source], board) : 0;
  if (pll_hertz == 0) fail("what clock the FPGA has cannot be told by the register that sets it, 0x{:08x}", control);
  return pll_hertz / divided;
}

uint32_t read_clock_register(System& system, const fpga::Board& board) {
  ClockWindow window(system, board);
  return window.load(window.registers().control);
}

void write_clock_register(System& system, const fpga::Board& board, uint32_t value) {
  ClockWindow(system, board).put_control(value);
}

}  // namespace vantage::boards
