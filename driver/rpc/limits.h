// What a server allows.
#pragma once

#include <cstdint>

#include "hw/spec/units.h"

namespace vantage::rpc {

struct Limits {
  int sessions = 64;                       // at once
  Bytes memory{uint64_t{1} << 30};         // of a session's device: no program and no upload reaches beyond
  double session_seconds = 3600;           // of runs, in a session
  double run_seconds = 60;                 // of one run, or of one Time call
  uint64_t run_steps = uint64_t{1} << 33;  // GEMM and ALU steps of one run: a single instruction is not stopped
  Bytes content{uint64_t{4} << 30};        // that the server keeps for all, in files
};

// Programs and retire records are the largest messages; a run with more records than fit is to be asked for without
// them.
inline constexpr int kLargestMessage = 64 << 20;
// Uploads and downloads are cut into pieces of so many bytes.
inline constexpr uint64_t kPieceBytes = uint64_t{1} << 20;

}  // namespace vantage::rpc
