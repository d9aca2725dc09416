#include "compiler/backend/cpu/back_ends.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

#include <mutex>

#include "base/error.h"

namespace vantage::cpu {

void initialize_back_ends() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const auto initialize :
         {LLVMInitializeX86TargetInfo, LLVMInitializeX86Target, LLVMInitializeX86TargetMC, LLVMInitializeX86AsmPrinter,
          LLVMInitializeARMTargetInfo, LLVMInitializeARMTarget, LLVMInitializeARMTargetMC, LLVMInitializeARMAsmPrinter,
          LLVMInitializeAArch64TargetInfo, LLVMInitializeAArch64Target, LLVMInitializeAArch64TargetMC,
          LLVMInitializeAArch64AsmPrinter}) {
      initialize();
    }
  });
}

std::unique_ptr<llvm::TargetMachine> make_target_machine(const Target& target) {
  initialize_back_ends();
  std::string message;
  const llvm::Target* back_end = llvm::TargetRegistry::lookupTarget(target.triple, message);
  if (back_end == nullptr) fail("the target '{}' is not known: {}", target.triple, message);
  llvm::TargetOptions options;  // Whoever changes these counts up kMadeBy (object.cpp).
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(back_end->createTargetMachine(target.triple, target.cpu, target.features,
                                                                            options, llvm::Reloc::PIC_, std::nullopt,
                                                                            llvm::CodeGenOptLevel::Aggressive));
}

}  // namespace vantage::cpu
