#include "compiler/target/llvm/library.h"

#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include "compiler/tir/printer.h"
#include "hw/spec/error.h"
#include "hw/spec/file.h"
#include "hw/spec/process.h"
#include "hw/spec/sha256.h"
#include "native/library.h"

namespace vantage::compiler {

void save_library(const std::vector<tir::PrimFunc>& scheduled, const std::filesystem::path& folder,
                  const CpuTarget& target, const CpuOptions& options) {
  const llvm::Triple here(llvm::sys::getProcessTriple()), there(target.triple);
  if (here.getArch() != there.getArch() || here.getOS() != there.getOS()) {
    fail("a library for {} cannot be linked on {}; emit an object, and link it with that system's compiler",
         target.triple, here.str());
  }
  CpuOptions named = options;
  named.source_directory = std::filesystem::absolute(folder).string();
  std::string all = target.triple + target.cpu + target.features;
  for (const tir::PrimFunc& function : scheduled) all += to_text(function);
  named.build = sha256(all);
  const Object object = compile_object(scheduled, target, named);
  NewDirectory made(folder);
  write_file(made.path() / named.source_file, object.source);
  const TemporaryDirectory work;
  write_file(work.path() / "functions.o", object.code);
  const std::string library = (made.path() / native::kLibraryFile).string();
  std::vector<std::string> link = {"c++", "-shared", "-o", library, "functions.o", "-Wl,--as-needed"};
  if (there.isX86()) link.emplace_back("-lmvec");  // math.cpp calls it there alone
  link.emplace_back("-lm");
  run_tool(link, work.path(), "g++");
  native::Manifest manifest{target.triple, required_features(target), named.build, {}, object.functions};
  constexpr Bytes kLargest{uint64_t{1} << 30};
  manifest.sha256 = sha256(read_file(library, kLargest));
  write_file(made.path() / native::kManifestFile, to_text(manifest));
  made.commit();
}

}  // namespace vantage::compiler
