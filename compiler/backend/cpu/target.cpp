#include "compiler/backend/cpu/target.h"

#include <fmt/ranges.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "base/error.h"
#include "base/suggest.h"
#include "compiler/backend/cpu/back_ends.h"

namespace vantage::cpu {

namespace {

// What LLVM makes of a processor's name and the list of features together. Throws Error for what it does not know.
std::unique_ptr<llvm::MCSubtargetInfo> subtarget(const Target& target) {
  initialize_back_ends();
  std::string message;
  const llvm::Target* back_end = llvm::TargetRegistry::lookupTarget(target.triple, message);
  if (back_end == nullptr) fail("the target '{}' is not known: {}", target.triple, message);
  // LLVM itself would only print a warning about names that it does not know.
  const std::unique_ptr<llvm::MCSubtargetInfo> plain(back_end->createMCSubtargetInfo(target.triple, "", ""));
  VANTAGE_CHECK(plain != nullptr);
  if (!target.cpu.empty() && !plain->isCPUStringValid(target.cpu)) {
    fail("the target '{}' has no processor '{}'", target.triple, target.cpu);
  }
  const auto exists = [known = plain->getAllProcessorFeatures()](llvm::StringRef feature) {
    if (feature.size() < 2 || (feature[0] != '+' && feature[0] != '-')) return false;
    const auto* const at = llvm::lower_bound(known, feature.drop_front());  // they are sorted
    return at != known.end() && at->Key == feature.drop_front();
  };
  for (llvm::StringRef rest = target.features; !rest.empty();) {
    const auto [feature, more] = rest.split(',');
    rest = more;
    if (!exists(feature)) {
      fail("the target '{}' has no feature '{}'; expected names with + or - in front, separated by commas",
           target.triple, feature.str());
    }
  }
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      back_end->createMCSubtargetInfo(target.triple, target.cpu, target.features));
  return info;
}

// Features that generated code may use, by LLVM's name and by Linux's. (Older ones every processor of the kind has.)
struct Feature {
  const char *llvm, *linux_name;
};
constexpr Feature kX86[] = {
    {"sse3", "pni"},
    {"ssse3", "ssse3"},
    {"movbe", "movbe"},
    {"sse4.1", "sse4_1"},
    {"sse4.2", "sse4_2"},
    {"popcnt", "popcnt"},
    {"avx", "avx"},
    {"avx2", "avx2"},
    {"fma", "fma"},
    {"f16c", "f16c"},
    {"bmi", "bmi1"},
    {"bmi2", "bmi2"},
    {"lzcnt", "abm"},
    {"gfni", "gfni"},
    {"avxvnni", "avx_vnni"},
    {"avx512f", "avx512f"},
    {"avx512cd", "avx512cd"},
    {"avx512bw", "avx512bw"},
    {"avx512dq", "avx512dq"},
    {"avx512vl", "avx512vl"},
    {"avx512ifma", "avx512ifma"},
    {"avx512vbmi", "avx512vbmi"},
    {"avx512vbmi2", "avx512_vbmi2"},
    {"avx512vnni", "avx512_vnni"},
    {"avx512bitalg", "avx512_bitalg"},
    {"avx512vpopcntdq", "avx512_vpopcntdq"},
    {"avx512bf16", "avx512_bf16"},
    {"avx512fp16", "avx512_fp16"},
};
constexpr Feature kAArch64[] = {
    {"dotprod", "asimddp"}, {"fullfp16", "asimdhp"}, {"lse", "atomics"}, {"i8mm", "i8mm"},
    {"bf16", "bf16"},       {"sve", "sve"},          {"sve2", "sve2"},
};
constexpr Feature kArm[] = {{"neon", "neon"}, {"vfp4", "vfpv4"}};

// Widths, registers and dot products follow from the features.
void derive(Target& target) {
  const auto info = subtarget(target);
  const auto has = [&](const char* feature) { return info->checkFeatures(std::string("+") + feature); };
  const llvm::Triple triple(target.triple);
  if (triple.isX86()) {
    const bool wide = has("avx512f") && has("avx512bw") && has("avx512vl") && has("avx512dq");
    target.vector_bytes = wide ? 64 : has("avx2") && has("fma") ? 32 : 16;
    target.vector_registers = wide ? 32 : triple.isArch64Bit() ? 16 : 8;
    if (wide ? has("avx512vnni") : has("avxvnni") && has("avx2")) target.dot = DotProduct::kVnni;
  } else if (triple.isAArch64()) {
    target.vector_bytes = 16;
    target.vector_registers = 32;
    if (has("dotprod")) target.dot = DotProduct::kNeon;
  } else {
    target.vector_bytes = 16;
    target.vector_registers = 16;
  }
}

}  // namespace

Target host_target() {
  // The processor stays the same, and every compilation asks.
  static const Target host = [] {
    Target target;
    target.triple = llvm::sys::getProcessTriple();
    target.cpu = llvm::sys::getHostCPUName().str();
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
      if (!target.features.empty()) target.features += ',';
      target.features += (feature.second ? "+" : "-") + feature.first().str();
    }
    if (const int64_t l1 = sysconf(_SC_LEVEL1_DCACHE_SIZE); l1 > 0) target.l1_bytes = l1;
    if (const int64_t l2 = sysconf(_SC_LEVEL2_CACHE_SIZE); l2 > 0) target.l2_bytes = l2;
    derive(target);
    return target;
  }();
  return host;
}

Target cross_target(const std::string& triple, const std::string& cpu, const std::string& features) {
  Target target;
  target.triple = llvm::Triple::normalize(triple);
  target.cpu = cpu;
  target.features = features;
  // NEON is an option of ARMv7, but a Zynq-7000's Cortex-A9 has it, with VFPv3, and nearly all others that run Linux.
  if (llvm::Triple(target.triple).isARM() && features.empty()) target.features = "+neon";
  derive(target);
  return target;
}

namespace {

struct KnownTarget {
  const char *name, *triple, *cpu;
  int threads;
};
constexpr KnownTarget kTargets[] = {
    {"amd64", "x86_64-linux-gnu", "x86-64", 2},
    {"arm64", "aarch64-linux-gnu", "cortex-a53", 4},
    {"armhf", "armv7-linux-gnueabihf", "cortex-a9", 2},
};

}  // namespace

NamedTarget named_target(const std::string& name) {
  if (name == "host") {
    return {name, host_target(), static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))};
  }
  for (const KnownTarget& known : kTargets) {
    if (name == known.name) return {name, cross_target(known.triple, known.cpu), known.threads};
  }
  if (name.find('-') == std::string::npos) {
    fail("there is no processor '{}'{}; expected {}, or a triple such as aarch64-linux-gnu", name,
         did_you_mean(name, target_names()), fmt::join(target_names(), ", "));
  }
  return {name, cross_target(name), 1};
}

std::vector<std::string> target_names() {
  std::vector<std::string> names = {"host"};
  for (const KnownTarget& known : kTargets) names.emplace_back(known.name);
  return names;
}

std::vector<std::string> required_features(const Target& target) {
  const auto info = subtarget(target);
  const llvm::Triple triple(target.triple);
  std::vector<std::string> names;
  const auto add = [&](const auto& features) {
    for (const Feature& feature : features) {
      if (info->checkFeatures(std::string("+") + feature.llvm)) names.emplace_back(feature.linux_name);
    }
  };
  if (triple.isX86()) add(kX86);
  if (triple.isAArch64()) add(kAArch64);
  if (triple.isARM()) add(kArm);
  return names;
}

}  // namespace vantage::cpu
