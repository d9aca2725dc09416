#include "compiler/backend/cpu/jit.h"

#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/cpu/back_ends.h"

namespace vantage::cpu {

namespace {

// What goes wrong in here is nothing that the user of a compiler could mend.
template <typename T>
T require(llvm::Expected<T> result) {
  if (!result) throw InternalError("LLVM: " + llvm::toString(result.takeError()));
  return std::move(*result);
}
void require(llvm::Error error) {
  if (error) throw InternalError("LLVM: " + llvm::toString(std::move(error)));
}

void require_runnable(const Target& target) {
  const Target host = host_target();
  const std::vector<std::string> present = required_features(host);
  bool runnable = llvm::Triple(target.triple).getArch() == llvm::Triple(host.triple).getArch();
  for (const std::string& feature : required_features(target)) {
    runnable = runnable && std::find(present.begin(), present.end(), feature) != present.end();
  }
  if (!runnable) {
    fail("code for {} {} does not run on this processor, {}; compile it into an object", target.triple, target.cpu,
         host.cpu);
  }
}

}  // namespace

std::vector<native::Function> jit(const std::vector<ir::PrimFunc>& scheduled, const Target& target,
                                  const Options& options) {
  using namespace llvm::orc;
  require_runnable(target);
  // A network that the accelerator takes whole has none, and LLVM takes some milliseconds to make nothing of it.
  if (scheduled.empty()) return {};
  const Object object = compile_object(scheduled, target, options);
  initialize_back_ends();
  JITTargetMachineBuilder machine{llvm::Triple(target.triple)};
  const std::shared_ptr<LLJIT> engine = require(LLJITBuilder().setJITTargetMachineBuilder(std::move(machine)).create());
  JITDylib& library = engine->getMainJITDylib();
  const char prefix = engine->getDataLayout().getGlobalPrefix();
  library.addGenerator(require(DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix)));
  // The C library's vector functions; a system without them has no calls of them either (math.h).
  if (auto vector_math = DynamicLibrarySearchGenerator::Load("libmvec.so.1", prefix)) {
    library.addGenerator(std::move(*vector_math));
  } else {
    llvm::consumeError(vector_math.takeError());
  }
  // What runs when they are loaded is known by their names.
  for (size_t i = 0; i < object.codes.size(); ++i) {
    require(engine->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object.codes[i], fmt::format("vantage.{}", i))));
  }
  for (const native::External& external : object.externals) {
    native::set_extern(require(engine->lookup(native::extern_symbol(external.name))).toPtr<void*>(), external);
  }
  std::vector<native::Function> functions;
  for (const native::Signature& signature : object.functions) {
    const ExecutorAddr entry = require(engine->lookup(native::entry_symbol(signature.name)));
    functions.emplace_back(entry.toPtr<vantage_entry>(), signature, engine);
  }
  return functions;
}

native::Function jit(const ir::PrimFunc& scheduled, const Target& target, const Options& options) {
  return jit(std::vector{scheduled}, target, options).front();
}

}  // namespace vantage::cpu
