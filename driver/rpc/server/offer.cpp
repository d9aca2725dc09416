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

}  // namespace vantage::rpc
