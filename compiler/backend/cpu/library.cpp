#include "compiler/backend/cpu/library.h"

#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/sha256.h"
#include "base/temporary.h"
#include "base/trusted_file.h"
#include "native/library.h"

namespace vantage::cpu {

void save_library(const std::vector<ir::PrimFunc>& scheduled, const std::filesystem::path& folder, const Target& target,
                  const Options& options) {
  const llvm::Triple here(llvm::sys::getProcessTriple()), there(target.triple);
  if (here.getArch() != there.getArch() || here.getOS() != there.getOS()) {
    fail("a library for {} cannot be linked on {}; emit an object, and link it with that system's compiler",
         target.triple, here.str());
  }
  Options named = options;
  named.source_directory = std::filesystem::absolute(folder).string();
  const Object object = compile_object(scheduled, target, named);
  NewDirectory made(folder);
  write_file(made.path() / named.source_file, object.source);
  const TemporaryDirectory work;
  write_file(work.path() / "functions.o", object.code);
  std::vector<std::string> link = {"c++",           "-shared", "-o", "linked.so", "functions.o", "-Wl,--as-needed",
                                   "-Wl,--build-id"};
  if (there.isX86()) link.emplace_back("-lmvec");  // math.cpp calls it there alone
  link.emplace_back("-lm");
  run_tool(link, work.path(), "g++");
  constexpr Bytes kLargest{uint64_t{1} << 30};
  const std::string library = read_file(work.path() / "linked.so", kLargest);
  native::Manifest manifest{target.triple, required_features(target), sha256(library), object.functions};
  for (const native::External& external : object.externals) {
    manifest.externals.push_back({external.name, describe(external)});
  }
  write_trusted_file(made.path() / native::kLibraryFile, library);
  write_trusted_file(made.path() / native::kManifestFile, to_text(manifest));
  made.commit();
}

}  // namespace vantage::cpu
