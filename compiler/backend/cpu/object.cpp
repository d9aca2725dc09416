#include "compiler/backend/cpu/object.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Instrumentation/AddressSanitizer.h>

#include <algorithm>
#include <set>
#include <span>

#include "base/error.h"
#include "base/parallel.h"
#include "compiler/backend/cpu/back_ends.h"
#include "compiler/backend/cpu/codegen.h"
#include "compiler/ir/verify.h"

namespace vantage::cpu {

namespace {

// To be counted up when LLVM is asked for something else, here or in back_ends.cpp: what is kept was made otherwise.
constexpr std::string_view kMadeBy = "1";

void optimize(llvm::Module& module, llvm::TargetMachine& machine, bool address_sanitizer) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  // Schedules say what is vectorized; looking for more in what they have written out takes long and finds nothing.
  llvm::PipelineTuningOptions tuning;
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  llvm::ModulePassManager passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
  if (address_sanitizer) {
    for (llvm::Function& function : module) {
      if (!function.isDeclaration() && !function.hasOptNone()) function.addFnAttr(llvm::Attribute::SanitizeAddress);
    }
    passes.addPass(llvm::AddressSanitizerPass({}));
  }
  passes.run(module, modules);
}

std::string emit_code(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> code;
  llvm::raw_svector_ostream stream(code);
  llvm::legacy::PassManager emission;
  if (machine.addPassesToEmitFile(emission, stream, nullptr, llvm::CodeGenFileType::ObjectFile)) {
    throw InternalError("the back end of " + module.getTargetTriple() + " makes no object files");
  }
  emission.run(module);
  return {code.begin(), code.end()};
}

// All that decides what becomes of a module.
std::string key_of(const llvm::Module& module, const Target& target, const Options& options) {
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  stream.flush();
  return kept_key({kMadeBy, LLVM_VERSION_STRING, target.triple, target.cpu, target.features,
                   options.address_sanitizer ? "checked" : "", bitcode});
}

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

void require_own_names(const std::vector<ir::PrimFunc>& functions) {
  std::set<std::string_view> names;
  for (const ir::PrimFunc& function : functions) {
    if (!names.insert(function.name).second) fail("two functions have the name {}; give each its own", function.name);
  }
}

// A file's worth of functions.
struct Part {
  std::string code;
  std::set<std::string> externals;  // by name: those that are called
};

Part compile_part(std::span<const Listed> functions, const Target& target, const Options& options) {
  llvm::LLVMContext context;
  const auto module = emit_module(context, functions, target, options.strict, options.externals,
                                  {options.source_file, options.source_directory});
  Part part;
  for (const std::string& name : options.externals.names()) {
    if (module->getNamedGlobal(native::extern_symbol(name)) != nullptr) part.externals.insert(name);
  }
  const auto machine = make_target_machine(target);
  const auto text = [&] { return text_of(*module); };
  if (options.observer) options.observer({"generated", "LLVM's IR of all functions", text});
  const std::string key = options.kept && !options.observer ? key_of(*module, target, options) : "";
  if (!key.empty()) {
    if (auto known = options.kept->find(key)) {
      part.code = std::move(*known);
      return part;
    }
  }
  optimize(*module, *machine, options.address_sanitizer);
  if (options.observer) options.observer({"optimized", "the same after LLVM's own passes", text});
  part.code = emit_code(*module, *machine);
  if (!key.empty()) options.kept->keep(key, part.code);
  return part;
}

}  // namespace

Object compile_object(const std::vector<ir::PrimFunc>& scheduled, const Target& target, const Options& options) {
  require_own_names(scheduled);
  // What is shown is shown in order, and as a whole; and there is a file of no functions, too.
  const bool apart = !options.observer && !scheduled.empty();
  std::vector<Listed> functions(scheduled.size());
  in_parallel(scheduled.size(), options.observer ? 1 : 0, [&](size_t i) {
    ir::require_valid(scheduled[i]);
    functions[i].lowered = passes::run_passes(scheduled[i], options.passes, options.observer);
    functions[i].listing = ir::listing(functions[i].lowered);
  });
  Object object;
  for (const ir::PrimFunc& function : scheduled) object.functions.push_back(signature_of(function));
  int line = 1;
  for (Listed& function : functions) {
    if (!options.kept) function.first_line = line;
    object.source += function.listing.text + "\n";
    line += 1 + static_cast<int>(std::ranges::count(function.listing.text, '\n'));
  }
  std::vector<Part> parts(apart ? functions.size() : 1);
  in_parallel(parts.size(), 0, [&](size_t i) {
    const std::span<const Listed> all = functions;
    parts[i] = compile_part(apart ? all.subspan(i, 1) : all, target, options);
  });
  std::set<std::string> called;
  for (Part& part : parts) {
    object.codes.push_back(std::move(part.code));
    called.merge(part.externals);
  }
  for (const std::string& name : called) object.externals.push_back(*options.externals.find(name));
  return object;
}

}  // namespace vantage::cpu
