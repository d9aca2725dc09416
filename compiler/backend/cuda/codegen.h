// Kernels as CUDA C++.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "base/embedded_file.h"
#include "compiler/backend/cuda/architecture.h"
#include "compiler/backend/cuda/group_products.h"
#include "compiler/backend/cuda/kernel.h"
#include "compiler/backend/cuda/stmt_writer.h"

namespace vantage::cuda {

struct KernelCode {
  std::string text;          // of a function
  int64_t shared_bytes = 0;  // of a block
  // Whether shared memory is the launch's to give (more than what a kernel may declare): shared_bytes of it.
  bool is_dynamic = false;
  std::vector<SharedAccess> shared_accesses;
  std::set<GroupProduct> products;  // that warpgroups make
  bool copies_boxes = false;
  std::set<ir::DType> multiplied;  // by warps, on tensor cores
  // Whether only architectures like sm_90a can run it.
  bool needs_warpgroups() const { return !products.empty() || copies_boxes; }
};

// Throws Error, naming `kernel`, where an architecture lacks instructions that its code takes.
void require_instructions(const Architecture& architecture, const std::string& kernel, const KernelCode& code);

// As much shared memory a kernel may declare itself, on every device.
inline constexpr int64_t kMostDeclared = int64_t{48} * 1024;
// What every address of a buffer that kernels are given must be a multiple of, in bytes: the widest access is such.
inline constexpr int64_t kPointerAlignment = kWidestAccess;

// `strict`: as the interpreter has it. Integers wrap in indices, too, which otherwise are taken not to overflow, and a
// product that is added to a sum is rounded before. Throws Error for what a kernel cannot do, naming the loop, buffer
// or function.
KernelCode write_kernel(const Kernel& kernel, bool strict = false);

// All kernels of a module as one source, which includes kDeviceHeader.
std::string write_source(const std::vector<KernelCode>& kernels);

// What a source includes; the rest of device is included by these.
inline constexpr std::string_view kDeviceHeader = "vantage.cuh", kWarpgroupHeader = "warpgroups.cuh";
const EmbeddedFiles& device_files();  // those of device, by their names

}  // namespace vantage::cuda
