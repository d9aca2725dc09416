#include "hw/energy/technology.h"

#include <fmt/format.h>

#include "base/error.h"
#include "hw/energy/element_bits.h"

namespace vantage::energy {

namespace {

constexpr double kMostPj = 1e9, kLeastPj = 1e-9;
constexpr int kMostBits = 4096;
constexpr double kMostBytes = 1e15;

// Every number says where it comes from; nothing is done with that but to want it.
void require_source(const JsonObject& object) {
  if (object.string("source").empty()) object.refuse("source", "where the numbers come from");
}

// The points of `key`, by `x_key`, in growing order; `use` gives their values.
template <typename Use>
void read_points(const JsonObject& object, std::string_view key, const std::vector<std::string>& known,
                 std::string_view x_key, double most, Use use) {
  double before = 0;
  object.each_object(key, known, [&](const JsonObject& point) {
    const double x = point.number(x_key, 1, most);
    if (x <= before) point.refuse(x_key, fmt::format("more than {}, which the one before has", before));
    before = x;
    use(point, x);
  });
  if (before == 0) object.refuse(key, "one at least");
}

Curve read_memories(const JsonObject& technology, const char* value) {
  const JsonObject object = technology.object("scratchpad", {"width_bits", "sizes", "source"});
  std::vector<Curve::Point> points;
  read_points(object, "sizes", {"bytes", "read", "write"}, "bytes", kMostBytes, [&](const JsonObject& point, double x) {
    points.push_back({x, point.number(value, kLeastPj, kMostPj)});
  });
  return Curve(std::move(points), 0);
}

// By bits, or of two operands with as many bits each by the product.
Curve read_operation(const JsonObject& technology, const char* key, bool by_product) {
  const JsonObject object = technology.object(key, {"sizes", "source"});
  require_source(object);
  std::vector<Curve::Point> points;
  read_points(object, "sizes", {"bits", "energy"}, "bits", kMostBits, [&](const JsonObject& point, double bits) {
    points.push_back({by_product ? bits * bits : bits, point.number("energy", kLeastPj, kMostPj)});
  });
  return Curve(std::move(points), 1);
}

EventEnergies::Access read_dram(const JsonObject& technology) {
  const JsonObject object = technology.object("dram", {"read", "write", "source"});
  require_source(object);
  return {object.number("read", 0, kMostPj), object.number("write", 0, kMostPj)};
}

double read_width(const JsonObject& technology) {
  const JsonObject object = technology.object("scratchpad", {"width_bits", "sizes", "source"});
  require_source(object);
  return object.integer("width_bits", 1, kMostBits);
}

double read_static(const JsonObject& technology) {
  const JsonObject object = technology.object("static", {"mw", "source"});
  require_source(object);
  return object.number("mw", 0, 1e9);
}

}  // namespace

const std::vector<std::string>& Technology::keys() {
  static const std::vector<std::string> kKeys = {"dram", "scratchpad", "multiply", "add", "static"};
  return kKeys;
}

Technology::Technology(const JsonObject& object)
    : dram_byte_(read_dram(object)),
      read_(read_memories(object, "read")),
      write_(read_memories(object, "write")),
      width_bits_(read_width(object)),
      multiply_(read_operation(object, "multiply", true)),
      add_(read_operation(object, "add", false)),
      static_mw_(read_static(object)) {}

EventEnergies Technology::of(const isa::Config& config) const {
  EventEnergies energies;
  energies.dram_byte = dram_byte_;
  for (size_t s = 0; s < kScratchpads.size(); ++s) {
    const isa::Memory memory = memory_of(kScratchpads[s]);
    const auto bytes = static_cast<double>(config.scratchpad_size(memory).count());
    const double accesses = element_bits(kScratchpads[s], config) / width_bits_;
    energies.scratchpads[s] = {accesses * read_.at(bytes), accesses * write_.at(bytes)};
  }
  const double acc = config.acc_bits();
  energies.mac = multiply_.at(config.inp_bits() * config.wgt_bits()) + add_.at(acc);
  energies.alu_add = add_.at(acc);
  energies.alu_mul = multiply_.at(acc * acc);
  energies.static_mw = static_mw_;
  return energies;
}

}  // namespace vantage::energy
