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

native::LibraryImage link_library(const Object& object, const Target& target) {
  const llvm::Triple here(llvm::sys::getProcessTriple()), there(target.triple);
  if (!there.isOSLinux()) fail("libraries are made for Linux, not for '{}'", target.triple);
  const TemporaryDirectory work;
  std::vector<std::string> options = {"-shared", "-o", "linked.so"};
  for (const std::string& code : object.codes) {
    options.push_back(fmt::format("{}.o", options.size()));
    write_file(work.path() / options.back(), code);
  }
  std::vector<std::string> link;
  if (here.getArch() == there.getArch()) {
    link = {"c++", "-Wl,--as-needed", "-Wl,--build-id"};
    link.insert(link.end(), options.begin(), options.end());
    if (there.isX86()) link.emplace_back("-lmvec");  // math.cpp calls it there alone
    link.emplace_back("-lm");
  } else {
    link = {"ld.lld", "--build-id"};
    link.insert(link.end(), options.begin(), options.end());
  }
  run_tool(link, work.path(), here.getArch() == there.getArch() ? "g++" : "lld");
  constexpr Bytes kLargestLibrary{uint64_t{1} << 30};
  std::string library = read_file(work.path() / "linked.so", kLargestLibrary);
  native::Manifest manifest{target.triple, required_features(target), sha256(library), object.functions};
  for (const native::External& external : object.externals) {
    manifest.externals.push_back({external.name, describe(external)});
  }
  return {to_text(manifest), std::move(library)};
}

void save_library(const std::vector<ir::PrimFunc>& scheduled, const std::filesystem::path& folder, const Target& target,
                  const Options& options) {
  Options named = options;
  named.source_directory = std::filesystem::absolute(folder).string();
  named.kept = nullptr;  // Lines are those of the file that is written.
  const Object object = compile_object(scheduled, target, named);
  NewDirectory made(folder);
  write_file(made.path() / named.source_file, object.source);
  const native::LibraryImage image = link_library(object, target);
  write_trusted_file(made.path() / native::kLibraryFile, image.code);
  write_trusted_file(made.path() / native::kManifestFile, image.manifest);
  made.commit();
}

}  // namespace vantage::cpu
