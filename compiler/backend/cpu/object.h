// Functions as machine code, in the form that linkers take.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/kept_files.h"
#include "compiler/backend/cpu/lower.h"
#include "compiler/backend/cpu/target.h"
#include "native/externals.h"
#include "native/signature.h"

namespace vantage::cpu {

struct Object {
  std::vector<std::string> codes;  // ELF relocatable files, to be linked together
  std::vector<native::Signature> functions;
  std::vector<native::External> externals;  // those that the code calls; whoever loads it sets their variables
  std::string source;                       // the lowered functions' text, which the debug information speaks of
};

struct Options {
  std::vector<passes::Pass> passes = pass_list();  // of several functions at once, unless there is an observer
  // Exactly what the interpreter does, to the last bit but for functions of the C library: no product is fused with a
  // sum, indices wrap. For finding out where a difference comes from; the code is slower.
  bool strict = false;
  // Every access is checked by AddressSanitizer, whose runtime the process must have: for tests of this compiler.
  bool address_sanitizer = false;
  // What the functions may call by name besides intrinsics.
  native::Externals externals = {};
  // Where debuggers look for the source, in Object::source.
  std::string source_file = "functions.tir", source_directory = ".";
  // Shown each function after each pass, then LLVM's IR of all, before LLVM's own passes ("generated") and after
  // ("optimized").
  passes::Observer observer = nullptr;
  // Where machine code is kept between runs, if anywhere: what LLVM made of the same IR is taken from there. Each
  // function's lines are counted from 1 then, so that it stays the same whatever stands before it.
  std::shared_ptr<KeptFiles> kept = nullptr;
};

// Lowers, generates, optimizes: each function by itself, on as many threads as there are cores, unless an observer
// looks on. Throws Error for what the target cannot do, naming the loop, the buffer or the function that is called, and
// for functions that share a name.
//
// Thread safety: may be called from several threads at once.
Object compile_object(const std::vector<ir::PrimFunc>& scheduled, const Target& target, const Options& options = {});

}  // namespace vantage::cpu
