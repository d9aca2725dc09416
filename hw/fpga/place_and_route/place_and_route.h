// What clock a core reaches on a part that it is placed and routed on: an ECP5 LFE5U-85F of speed grade 6, by Yosys and
// nextpnr, each connection with the delay of the wires that it was given. A placement begins with a random one, so
// three are made, with seeds that are always the same, and the best counts.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/embedded_file.h"
#include "hw/fpga/place_and_route/routed_timing.h"
#include "hw/fpga/place_and_route/seed_routes.h"
#include "hw/fpga/synthesis.h"
#include "hw/isa/config.h"

namespace vantage::fpga {

// The part, its package and its speed grade, as people write them.
inline constexpr const char* kRoutedPart = "LFE5U-85F-6 CABGA756";

struct PlaceAndRoute {
  std::vector<PartUse> used;
  std::vector<Route> routes;  // by seed; none of a core that does not fit
  double seconds = 0;         // that it took

  bool fits() const;
  const Route& best() const;  // the highest clock. REQUIRES: it fits
  bool operator==(const PlaceAndRoute&) const = default;
};

// The program that places and routes: nextpnr-ecp5, or what PyPI has of it. Throws Error that says how to install it.
std::string nextpnr_program();

// Up to an hour for a core of usual size: what a seed gave is kept as it comes, so a call that was stopped goes on
// where it was. Results are kept like those of synthesize(). Throws Error with the end of what a tool said when it
// fails.
PlaceAndRoute place_and_route(const isa::Config& config, const SynthesisOptions& options);

// The same for a design in a folder's Verilog: `script` makes netlist.json of it in Yosys. `mhz` is the clock that
// nextpnr is asked for. As many seeds at once as there are cores.
PlaceAndRoute place_and_route(const std::filesystem::path& folder, const std::string& script, double mhz,
                              const std::vector<uint64_t>& seeds, const std::string& instance, const SeedStore& store,
                              const std::function<void(const std::string&)>& progress);

// The design around a core, vta_pins.sv.
const EmbeddedFiles& route_files();

}  // namespace vantage::fpga
