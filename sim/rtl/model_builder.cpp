#include "sim/rtl/model_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/cache_work.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "hw/isa/rtl_package.h"
#include "hw/rtl/sources.h"
#include "sim/rtl/model_abi.h"
#include "sim/rtl/model_cache.h"
#include "sim/rtl/model_glue.h"

namespace vantage::sim {

namespace fs = std::filesystem;

namespace {

constexpr std::array kVerilatorFlags = {"--cc",        "-O3",  "--x-assign", "fast",
                                        "--x-initial", "fast", "-Wno-fatal", "-Wno-lint"};
// Programs that a build needs, and the packages that have them
constexpr std::array<std::pair<const char*, const char*>, 3> kTools = {
    {{"verilator", "verilator"}, {"g++", "g++"}, {"ninja", "ninja-build"}}};
constexpr const char* kSlowFlags = "-O0";

// AVX2 moves registers that are as wide as an element of a scratchpad, and makes models 4 % faster; AVX-512 adds
// nothing. A library is built for the processor that builds it: others have another name for theirs.
const char* fast_flags() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0 &&
      __builtin_cpu_supports("fma") != 0) {
    return "-O3 -march=x86-64-v3";
  }
#endif
  return "-O3";
}

constexpr const char* kCoverageFlag = "--coverage-line";

// How the libraries are compiled and linked: Verilator's folder, its defines, compiler, libraries.
constexpr fmt::string_view kNinjaRules =
    "flags = -std=c++20 -fPIC -w -I. -I{0}/include -I{0}/include/vltstd {1}\n"
    "rule cxx\n  command = {2} $flags $opt -c $in -o $out\n"
    "rule link\n  command = g++ -shared $in -o $out -lpthread{3}\n";

// Half of the time to compile what Verilator writes goes into its headers, so its files are included in some that are
// no longer than this, together: two of the default configuration's that run in every cycle, which is one for each
// core of a small machine.
constexpr Bytes kBatch{1 << 20};

// Sources that each include some of these, in this folder; their names.
std::vector<std::string> batches(const fs::path& folder, const std::string& name,
                                 const std::vector<std::string>& sources) {
  std::vector<std::string> texts;
  uint64_t size = 0;
  for (const std::string& source : sources) {
    const uint64_t more = fs::file_size(folder / source);
    if (texts.empty() || size + more > kBatch.count()) {
      texts.emplace_back();
      size = 0;
    }
    texts.back() += fmt::format("#include \"{}\"\n", source);
    size += more;
  }
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    names.push_back(fmt::format("{}_{}.cpp", name, names.size()));
    write_file(folder / names.back(), text);
  }
  return names;
}

// The compilation of what Verilator wrote, and of model.cpp, which alone knows these defines.
std::string ninja_file(const fs::path& folder, const std::string& defines, const std::string& root,
                       const ModelBuild& build) {
  std::string text = fmt::format(fmt::runtime(kNinjaRules), root,
                                 fmt::format("-DVM_TRACE={:d} -DVM_COVERAGE={:d}", build.waves, build.coverage),
                                 have_program("ccache") ? "ccache g++" : "g++", build.waves ? " -lz" : "");
  std::string objects;
  const auto compile = [&](const std::string& source, const std::string& opt) {
    const std::string object = fs::path(source).stem().string() + ".o";
    text += fmt::format("build {}: cxx {}\n  opt = {}\n", object, source, opt);
    objects += " " + object;
  };
  std::vector<std::string> fast, slow;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string name = entry.path().filename().string();
    // What they have runs once, the rest in every cycle.
    const bool once = name.find("Slow") != std::string::npos || name.find("Syms") != std::string::npos;
    (once ? slow : fast).push_back(name);
  }
  for (auto* const sources : {&fast, &slow}) std::sort(sources->begin(), sources->end());
  for (const std::string& batch : batches(folder, "fast", fast)) compile(batch, fast_flags() + (" " + defines));
  for (const std::string& batch : batches(folder, "slow", slow)) compile(batch, kSlowFlags);
  // The same of every configuration, for a compiler's cache.
  const auto part = [&](const char* name, const char* opt) {
    compile(fmt::format("{}/include/{}.cpp", root, name), opt);
  };
  part("verilated", fast_flags());
  part("verilated_threads", fast_flags());
  if (build.waves) part("verilated_fst_c", fast_flags());
  if (build.coverage) part("verilated_cov", kSlowFlags);
  return text + fmt::format("build model.so: link{}\n", objects);
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

void make_edit(const SourceEdit& edit, const fs::path& folder) {
  constexpr Bytes kLargest{1 << 20};
  std::string text = read_file(folder / edit.file, kLargest);
  const size_t at = text.find(edit.from);
  if (at == std::string::npos || text.find(edit.from, at + 1) != std::string::npos) {
    throw InternalError(
        fmt::format("{} does not have '{}' once, and nothing else can be changed", edit.file, edit.from));
  }
  write_file(folder / edit.file, text.replace(at, edit.from.size(), edit.to));
}

// The library's bytes.
std::string compile(const isa::Config& config, const ModelBuild& build, const fs::path& folder) {
  const auto tell = [&](const char* what) {
    if (build.progress) build.progress(what);
  };
  for (const auto& [program, package] : kTools) require_program(program, package);
  rtl::write_sources(config, folder);
  for (const SourceEdit& edit : build.edits) make_edit(edit, folder);
  for (const EmbeddedFile& source : model_glue()) write_file(folder / source.name, source.text);

  tell("verilating");
  std::vector<std::string> verilate = {"verilator"};
  verilate.insert(verilate.end(), kVerilatorFlags.begin(), kVerilatorFlags.end());
  if (build.waves) verilate.push_back("--trace-fst");
  if (build.coverage) verilate.push_back(kCoverageFlag);
  for (const char* word : {"--prefix", "Vvta", "--top", "vta", "--Mdir", ".", "vta_pkg.sv", "activity.sv", "vta.sv"}) {
    verilate.push_back(word);
  }
  run_tool(verilate, folder, "verilator");
  const std::string root = first_line(run_tool({"verilator", "--getenv", "VERILATOR_ROOT"}, folder, "verilator"));

  tell("compiling");
  const std::string defines = fmt::format(
      "-DVANTAGE_RTL_WAVES={:d} -DVANTAGE_RTL_COVERAGE={:d} -DVANTAGE_RTL_BUS_BYTES={} "
      "-DVANTAGE_RTL_CONFIG_HASH=0x{:x}",
      build.waves, build.coverage, config.bus_width().count(), isa::hardware_hash(config));
  write_file(folder / "build.ninja", ninja_file(folder, defines, root, build));
  run_tool({"ninja"}, folder, "ninja-build");
  constexpr Bytes kLargest{uint64_t{1} << 30};
  return read_file(folder / "model.so", kLargest);
}

// The model that the cache has; none where there is none, or where what is there must not be loaded, which is told.
std::optional<RtlLibrary> find_model(const ModelBuild& build, const fs::path& library,
                                     const std::function<void(const std::string&)>& tell = {}) {
  if (!fs::exists(fs::symlink_status(library))) return std::nullopt;
  try {
    return load_kept_model(build.cache, library);
  } catch (const Error& why) {
    if (tell) tell(fmt::format("the cache's model is not taken ({}); another is built:", why.what()));
    return std::nullopt;
  }
}

}  // namespace

fs::path model_path(const isa::Config& config, const ModelBuild& build) {
  uint64_t hash = fnv1a(fmt::format("{} {} {} {} {} {}", VANTAGE_RTL_ABI, fmt::join(kVerilatorFlags, " "), kNinjaRules,
                                    fast_flags(), kSlowFlags, build.waves));
  hash = fnv1a(isa::rtl_package(config), hash);
  for (const EmbeddedFile& source : rtl::sources()) hash = fnv1a(source.text, hash);
  for (const EmbeddedFile& source : model_glue()) hash = fnv1a(source.text, hash);
  for (const SourceEdit& edit : build.edits)
    hash = fnv1a(fmt::format("{}\n{}\n{}\n", edit.file, edit.from, edit.to), hash);
  if (build.coverage) hash = fnv1a(kCoverageFlag, hash);
  return build.cache / "rtl" /
         fmt::format("{}-{:016x}{}{}.so", config.name(), hash, build.waves ? "-waves" : "",
                     build.coverage ? "-coverage" : "");
}

RtlLibrary build_model(const isa::Config& config, const ModelBuild& build) {
  const fs::path library = model_path(config, build);
  if (auto kept = find_model(build, library)) return *kept;
  CacheWork work(library, build.progress);
  // Someone else may have built it in the meantime.
  if (auto kept = find_model(build, library, build.progress)) return *kept;
  const std::string bytes = compile(config, build, work.new_folder());
  work.remove_folder();
  keep_model(build.cache, library, bytes);
  return load_kept_model(build.cache, library);
}

}  // namespace vantage::sim
