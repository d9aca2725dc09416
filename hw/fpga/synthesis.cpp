#include "hw/fpga/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <vector>

#include "base/cache.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_lock.h"
#include "base/hash.h"
#include "base/json_object.h"
#include "base/parallel.h"
#include "base/process.h"
#include "base/temporary.h"
#include "hw/fpga/synthesis_cache.h"
#include "hw/fpga/timing/netlist.h"
#include "hw/isa/rtl_package.h"
#include "hw/rtl/sources.h"

namespace vantage::fpga {

namespace fs = std::filesystem;

namespace {

// What one cell of Yosys's netlist takes of the part. Cells that are not listed take none of these four.
struct CellCost {
  std::string_view cell;
  uint64_t luts, flip_flops, dsps, block_rams_18k;
};
constexpr CellCost kCosts[] = {
    {"LUT1", 1, 0, 0, 0},     {"LUT2", 1, 0, 0, 0},      {"LUT3", 1, 0, 0, 0},      {"LUT4", 1, 0, 0, 0},
    {"LUT5", 1, 0, 0, 0},     {"LUT6", 1, 0, 0, 0},      {"INV", 1, 0, 0, 0},       {"SRL16E", 1, 0, 0, 0},
    {"SRLC32E", 1, 0, 0, 0},  {"RAM32X1S", 1, 0, 0, 0},  {"RAM32X1D", 2, 0, 0, 0},  {"RAM64X1S", 1, 0, 0, 0},
    {"RAM64X1D", 2, 0, 0, 0}, {"RAM128X1S", 2, 0, 0, 0}, {"RAM128X1D", 4, 0, 0, 0}, {"RAM256X1S", 4, 0, 0, 0},
    {"RAM32M", 4, 0, 0, 0},   {"RAM64M", 4, 0, 0, 0},    {"RAM32M16", 8, 0, 0, 0},  {"RAM64M8", 8, 0, 0, 0},
    {"FDRE", 0, 1, 0, 0},     {"FDSE", 0, 1, 0, 0},      {"FDCE", 0, 1, 0, 0},      {"FDPE", 0, 1, 0, 0},
    {"DSP48E1", 0, 0, 1, 0},  {"DSP48E2", 0, 0, 1, 0},   {"RAMB18E1", 0, 0, 0, 1},  {"RAMB18E2", 0, 0, 0, 1},
    {"RAMB36E1", 0, 0, 0, 2}, {"RAMB36E2", 0, 0, 0, 2},
};

// The cells, as patterns, that cores are mapped to; what is made of a core is of these alone, or Yosys ends with an
// error.
constexpr const char* kKnownCells[] = {"BUFG",  "CARRY*", "DSP48E*", "FD?E",     "LD?E",     "GND",
                                       "VCC",   "*BUF",   "OBUFT",   "INV",      "LUT?",     "MUXF?",
                                       "RAM*M", "RAM*M*", "RAM*X*",  "RAMB18E?", "RAMB36E?", "SRL*"};

constexpr Bytes kLargestStatistics{1 << 26};
constexpr Bytes kLargestNetlist{uint64_t{1} << 31};
constexpr const char* kTop = "vta";
constexpr const char* kReset = "rst_ni";
constexpr const char* kPortReset = "m_rst_ni";
// Of static timing: what a kept result says of it is of the same rules.
constexpr const char* kTimingVersion = "1";

// What synth_xilinx does here, but for the number of LUTs on a path that ABC need not go below: it is that of the paths
// between the modules that were flattened, and a module that is mapped alone would not know of them, and be made faster
// than it needs to be, with more LUTs. Where there are longer paths ABC goes on as if nothing had been said.
std::string map_luts() {
  constexpr int kLutsOfPath = 5;
  return fmt::format(
      R"(opt_expr -mux_undef -noclkinv
abc -luts 2:2,3,6:5,10,20 -script "+strash;&get,-n;&fraig,-x;&put;scorr;dc2;dretime;strash;dch,-f;if,-D,{};mfs2"
clean
techmap -map +/xilinx/ff_map.v
xilinx_srl -fixed -minlen 3
techmap -map +/xilinx/lut_map.v -map +/xilinx/cells_map.v -D LUT_WIDTH=6
xilinx_dffopt
opt_lut_ins -tech xilinx
)",
      kLutsOfPath);
}

std::string yosys_script(const std::string& family) {
  return netlist_script(family) +
         "tee -q -o stat.json stat -json\n"
         "write_json netlist.json\n";
}

// The beginning of a result's name in the cache: everything that it depends on but Yosys, without which a kept one may
// be looked for.
std::string name_of_core(const isa::Config& config, const std::string& family) {
  std::string all = yosys_script(family) + isa::rtl_package(config);
  for (const EmbeddedFile& source : rtl::sources()) all += source.text;
  for (const CellCost& c : kCosts) {
    all += fmt::format("{} {} {} {} {}\n", c.cell, c.luts, c.flip_flops, c.dsps, c.block_rams_18k);
  }
  for (const EmbeddedFile& delays : delay_files()) all += delays.text;
  all += kTimingVersion;
  return fmt::format("{}-{}-{:016x}-", config.name(), family, fnv1a(all));
}

fs::path folder_of_results(const fs::path& cache) {
  return cache / "synth";
}

fs::path result_path(const isa::Config& config, const std::string& family, const fs::path& cache) {
  const uint64_t yosys = fnv1a(run_tool({"yosys", "-V"}, fs::current_path(), "yosys"));
  return folder_of_results(cache) / fmt::format("{}{:016x}.json", name_of_core(config, family), yosys);
}

Synthesis run_yosys(const isa::Config& config, const std::string& family, const SynthesisOptions& options) {
  const TemporaryDirectory temporary;
  const fs::path& folder = temporary.path();
  const auto tell = [&](const std::string& line) {
    if (options.progress) options.progress(line);
  };
  tell("synthesizing " + config.name() + " (minutes)");
  rtl::write_sources(config, folder);
  write_file(folder / "synth.ys", yosys_script(family));
  const auto start = std::chrono::steady_clock::now();
  run_tool({"yosys", "-q", "synth.ys"}, folder, "yosys");
  Synthesis result;
  result.used = count_cells(parse_json(read_file(folder / "stat.json", kLargestStatistics), "Yosys's statistics"));
  if (const auto delays = CellDelays::of_family(family)) {
    tell("timing " + config.name());
    const auto netlist = Netlist::parse(read_file(folder / "netlist.json", kLargestNetlist), "Yosys's netlist", kTop);
    result.timing = analyze_timing(netlist, *delays, {.early_inputs = {kReset, kPortReset}});
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

std::string netlist_script(const std::string& family, const std::string& memory_map) {
  std::string files;
  for (const std::string& file : rtl::module_files()) files += " " + file;
  const std::string synth = fmt::format("synth_xilinx -family {} -top {} -run ", family, kTop);
  // Yosys reads four hundred cells of every family, and most of its passes go through all of them for each module. They
  // are forgotten, but for those that a core can be mapped to: a twentieth of the time.
  std::string script = "read_verilog -sv" + files + "\n" + synth + "begin:prepare\ndelete =A:blackbox =A:whitebox %u";
  for (const char* cell : kKnownCells) script += fmt::format(" ={} %d", cell);
  script += "\n";
  script += memory_map.empty() ? synth + "prepare:map_ffs\n"
                               : synth + "prepare:map_memory\n" + memory_map + synth + "map_ffram:map_ffs\n";
  // What is instantiated many times over is worked on once, and only what is left for LUTs is flattened: half the time,
  // for the same delays and a hundredth more LUTs. The columns of the tile are closed, since they begin and end at
  // registers, so that their LUTs are made once too. The ALU's lanes are not: mapped alone they take a twelfth more.
  return script +
         "setattr -mod -set keep_hierarchy 1 *vta_gemm_pair* *vta_gemm_column*\n"
         "flatten\n"
         "opt_expr -mux_undef -undriven -fine\n"
         "opt_merge\n"
         "opt_clean\n" +
         synth + "map_ffs:map_luts\n" + map_luts() +
         "setattr -mod -unset keep_hierarchy *\n"
         "flatten\n"
         "opt_clean\n" +
         synth + "finalize:\n";
}

Resources count_cells(const Json& stat) {
  const JsonObject cells = JsonObject(stat, "Yosys's statistics").object("design").object("num_cells_by_type");
  Resources r;
  uint64_t block_rams_18k = 0;
  for (const CellCost& cost : kCosts) {
    if (!cells.has(cost.cell)) continue;
    const uint64_t count = cells.natural(cost.cell, 0, UINT32_MAX);
    r.luts += count * cost.luts;
    r.flip_flops += count * cost.flip_flops;
    r.dsps += count * cost.dsps;
    block_rams_18k += count * cost.block_rams_18k;
  }
  r.block_rams = (block_rams_18k + 1) / 2;
  return r;
}

Synthesis synthesize(const isa::Config& config, const std::string& family, const SynthesisOptions& options) {
  const fs::path path = result_path(config, family, options.cache);
  if (const auto known = options.anew ? std::nullopt : kept_result(options.cache, path, options.progress)) {
    return *known;
  }
  make_cache_folder(path.parent_path());
  const FileLock lock(fs::path(path) += ".lock", options.progress);
  // Someone else's in the meantime
  if (const auto known = options.anew ? std::nullopt : kept_result(options.cache, path, nullptr)) return *known;
  const Synthesis result = run_yosys(config, family, options);
  keep_result(options.cache, path, result);
  return result;
}

std::vector<Synthesis> synthesize(const std::vector<isa::Config>& configs, const std::string& family,
                                  const SynthesisOptions& options, size_t jobs) {
  std::vector<isa::Config> cores;
  std::vector<size_t> core_of;  // of each configuration
  std::map<std::string, size_t> known;
  for (const isa::Config& config : configs) {
    const auto [found, is_new] = known.emplace(name_of_core(config, family), cores.size());
    if (is_new) cores.push_back(config);
    core_of.push_back(found->second);
  }
  std::mutex mutex;  // of progress
  SynthesisOptions one = options;
  if (options.progress) {
    one.progress = [&](const std::string& line) {
      const std::lock_guard lock(mutex);
      options.progress(line);
    };
  }
  std::vector<Synthesis> results(cores.size());
  in_parallel(cores.size(), jobs, [&](size_t i) { results[i] = synthesize(cores[i], family, one); });
  std::vector<Synthesis> all;
  for (const size_t core : core_of) all.push_back(results[core]);
  return all;
}

std::optional<Synthesis> kept_synthesis(const isa::Config& config, const std::string& family, const fs::path& cache) {
  const std::string name = name_of_core(config, family);
  std::vector<fs::path> found;
  std::error_code none;  // a cache that is not there has no results
  for (const auto& entry : fs::directory_iterator(folder_of_results(cache), none)) {
    const fs::path& path = entry.path();
    if (path.filename().string().starts_with(name) && path.extension() == ".json") found.push_back(path);
  }
  // Of several versions of Yosys any will do, but the same one each time.
  std::sort(found.begin(), found.end());
  for (const fs::path& path : found) {
    if (auto result = kept_result(cache, path, nullptr)) return result;
  }
  return std::nullopt;
}

}  // namespace vantage::fpga
