// What a server allows in all, and each of its sessions: a quota that a session may use up, and limits at once.
//
// session_table.cpp enforces how many sessions there are, content_store.cpp how much content is kept, service.cpp the
// tensors of a program and the idle time of streams, and session.cpp the rest. server.cpp gives gRPC as many threads as
// sessions and calls may need.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/units.h"

namespace vantage::rpc {

struct Quota {
  size_t sessions = 64;                    // at once
  size_t calls = 16;                       // at once, of a session: each waits in a thread of the server's
  size_t allocations = 4096;               // at once, of a session
  size_t programs = 256;                   // loaded, of a session
  size_t tensors = 1024;                   // of a program
  Bytes memory{uint64_t{1} << 30};         // of a session's device: no program and no upload reaches beyond
  double session_seconds = 3600;           // of loads and runs, in a session
  double run_seconds = 60;                 // of one load, one run or one Time call
  uint64_t run_steps = uint64_t{1} << 33;  // GEMM and ALU steps of one run
  double idle_seconds = 3600;              // without a call: then the session ends
  double stream_idle_seconds = 60;         // for each piece of an upload or a download: then its call is cancelled
  Bytes reserve{uint64_t{256} << 20};      // of the machine's memory: with less, no session begins, and one ends
  Bytes content{uint64_t{4} << 30};        // that the server keeps for all, in files
};

// Programs and retire records are the largest messages; a run with more records than fit is to be asked for without
// them.
inline constexpr int kLargestMessage = 64 << 20;
// Uploads and downloads are cut into pieces of so many bytes.
inline constexpr uint64_t kPieceBytes = uint64_t{1} << 20;

}  // namespace vantage::rpc
