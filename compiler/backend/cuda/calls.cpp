#include "compiler/backend/cuda/calls.h"

#include <algorithm>

namespace vantage::cuda {

using namespace ir;

const CallTouches& call_touches() {
  using enum Touch;
  static const CallTouches kTouches = {
      {std::string(kLoadTileA), {kWrite, kRead}},
      {std::string(kLoadTileATransposed), {kWrite, kRead}},
      {std::string(kLoadTileB), {kWrite, kRead}},
      {std::string(kLoadTileBTransposed), {kWrite, kRead}},
      {std::string(kFillTile), {kWrite}},
      {std::string(kMultiplyTiles), {kReadWrite, kRead, kRead}},
      {std::string(kStoreTile), {kWrite, kRead}},
      {std::string(kCommitCopies), {}},
      {std::string(kWaitCopies), {}},
  };
  return kTouches;
}

bool is_tile_call(const Stmt& stmt) {
  const auto* evaluate = stmt.as<Evaluate>();
  const auto* call = evaluate == nullptr ? nullptr : evaluate->call.as<Call>();
  if (call == nullptr) return false;
  const auto known = call_touches().find(call->function);
  return known != call_touches().end() && !known->second.empty();
}

bool only_tiles(const Stmt& stmt) {
  if (!stmt || is_tile_call(stmt)) return true;
  switch (stmt.kind()) {
    case StmtKind::kFor: return only_tiles(stmt.as<For>()->body);
    case StmtKind::kLet: return only_tiles(stmt.as<Let>()->body);
    case StmtKind::kIf: return only_tiles(stmt.as<If>()->then) && only_tiles(stmt.as<If>()->otherwise);
    case StmtKind::kSeq: {
      const auto& parts = stmt.as<Seq>()->stmts;
      return std::all_of(parts.begin(), parts.end(), only_tiles);
    }
    default: return false;
  }
}

}  // namespace vantage::cuda
