#include "compiler/backend/cpu/object.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Instrumentation/AddressSanitizer.h>

#include "base/error.h"
#include "compiler/backend/cpu/back_ends.h"
#include "compiler/backend/cpu/codegen.h"
#include "compiler/ir/verify.h"

namespace vantage::cpu {

namespace {

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

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

}  // namespace

Object compile_object(const std::vector<ir::PrimFunc>& scheduled, const Target& target, const Options& options) {
  Object object;
  std::vector<ir::PrimFunc> lowered;
  for (const ir::PrimFunc& function : scheduled) {
    ir::require_valid(function);
    object.functions.push_back(signature_of(function));
    lowered.push_back(passes::run_passes(function, options.passes, options.observer));
  }
  llvm::LLVMContext context;
  Source source{options.source_file, options.source_directory, {}};
  const auto module = emit_module(context, lowered, target, options.strict, options.externals, source);
  for (const std::string& name : options.externals.names()) {
    if (module->getNamedGlobal(native::extern_symbol(name)) == nullptr) continue;
    object.externals.push_back(*options.externals.find(name));
  }
  const auto machine = make_target_machine(target);
  const auto text = [&] { return text_of(*module); };
  if (options.observer) options.observer({"generated", "LLVM's IR of all functions", text});
  optimize(*module, *machine, options.address_sanitizer);
  if (options.observer) options.observer({"optimized", "the same after LLVM's own passes", text});
  llvm::SmallVector<char, 0> code;
  llvm::raw_svector_ostream stream(code);
  llvm::legacy::PassManager emission;
  if (machine->addPassesToEmitFile(emission, stream, nullptr, llvm::CodeGenFileType::ObjectFile)) {
    throw InternalError("the back end of " + target.triple + " makes no object files");
  }
  emission.run(*module);
  object.source = std::move(source.text);
  object.code.assign(code.begin(), code.end());
  return object;
}

}  // namespace vantage::cpu
