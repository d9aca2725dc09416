// What processor to generate code for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vantage::cpu {

// The multiply-accumulate of four bytes at a time that a processor has.
enum class DotProduct : uint8_t { kNone, kVnni, kNeon };

struct Target {
  std::string triple;    // "x86_64-pc-linux-gnu"
  std::string cpu;       // LLVM's name: "znver4"
  std::string features;  // LLVM's list: "+avx2,+fma"
  int vector_bytes = 16;
  int vector_registers = 16;
  DotProduct dot = DotProduct::kNone;
  // Of a core's first and second level of cache.
  int64_t l1_bytes = 32 << 10;
  int64_t l2_bytes = 256 << 10;
};

// The processor that this process runs on, with everything that it and its operating system offer.
Target host_target();

// By triple, for code that is to run elsewhere: `cpu` and `features` in LLVM's spelling, empty for what every processor
// of the kind has. Throws Error for one that this LLVM has no back end for, or that is not known to it.
Target cross_target(const std::string& triple, const std::string& cpu = "", const std::string& features = "");

// A processor by name: "host", this process's; as Debian names architectures, "amd64", "arm64" and "armhf", of which
// the last two are a Zynq's cores (Cortex-A53 and -A9); else a triple of LLVM's for cross_target(). Throws Error as
// that does.
struct NamedTarget {
  std::string name;
  Target target;
  int threads = 1;  // as many as it has cores, of the host as many as this process may run on
};
NamedTarget named_target(const std::string& name);
// "host", "amd64", ...
std::vector<std::string> target_names();

// What a processor must have to run the target's code, as Linux names it in /proc/cpuinfo.
std::vector<std::string> required_features(const Target& target);

}  // namespace vantage::cpu
