#include "driver/rpc/server/offer.h"

#include "driver/rpc/workspace/local_workspace.h"
#include "driver/rpc/workspace/workspace_process.h"

namespace vantage::rpc {

namespace {

Offer offer(const driver::AcceleratorKind& kind, std::optional<isa::Config> config, size_t runs_at_once,
            std::function<std::unique_ptr<Workspace>()> start) {
  return {kind.scheme, kind.scheme, kind.meaning, std::move(config), runs_at_once, std::move(start)};
}

}  // namespace

Offer offer_here(const driver::AcceleratorKind& kind, std::optional<isa::Config> config, size_t runs_at_once) {
  return offer(kind, std::move(config), runs_at_once,
               [kind] { return std::make_unique<LocalWorkspace>(std::vector{kind}); });
}

Offer offer_in_processes(const driver::AcceleratorKind& kind, std::optional<isa::Config> config, size_t runs_at_once,
                         std::filesystem::path program) {
  return offer(kind, std::move(config), runs_at_once,
               [program = std::move(program)] { return std::make_unique<WorkspaceProcess>(program); });
}

Offer offer_code(std::filesystem::path program, bool confined) {
  return {"cpu",
          "cpu",
          "this machine's processor, for code of the caller's",
          std::nullopt,
          1,
          [program = std::move(program), confined] {
            const std::vector<std::string> arguments = {confined ? "code" : "unconfined-code"};
            return std::make_unique<WorkspaceProcess>(program, arguments);
          },
          {},
          true};
}

Offer offer_shared(const driver::AcceleratorKind& kind, std::optional<isa::Config> config,
                   const std::shared_ptr<SharedProcess>& process, bool allow_flash) {
  Offer shared = offer(kind, std::move(config), 1, [process] { return process->start(); });
  if (allow_flash) {
    shared.flash = [process](const boards::FlashJob& job, const std::function<void(const std::string&)>& step,
                             const std::stop_token& stop) { process->flash(job, step, stop); };
  }
  return shared;
}

}  // namespace vantage::rpc
