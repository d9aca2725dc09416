#include "compiler/backend/cuda/calls.h"

#include <algorithm>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/ir/thread_axes.h"

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
      {std::string(kBeginProducts), {}},
      {std::string(kCommitProducts), {}},
      {std::string(kWaitProducts), {}},
      {std::string(kCopyBox), {kWrite, kRead}},
      {std::string(kBeginArrivals), {}},
      {std::string(kAwaitArrival), {}},
      {std::string(kEndArrivals), {}},
  };
  return kTouches;
}

namespace {

const Call* call_of(const Stmt& stmt) {
  const auto* evaluate = stmt.as<Evaluate>();
  return evaluate == nullptr ? nullptr : evaluate->call.as<Call>();
}

}  // namespace

const Call* as_call(const Stmt& stmt, std::string_view function) {
  const Call* call = call_of(stmt);
  return call != nullptr && call->function == function ? call : nullptr;
}

int64_t threads_together(std::string_view scope) {
  return scope == kWarpScope ? kWarpThreads : scope == kWarpgroupScope ? kWarpgroupThreads : 1;
}

Stmt call_statement(std::string_view function, std::vector<Expr> arguments) {
  return evaluate(Expr(std::make_shared<Call>(kVoid, std::string(function), std::move(arguments))));
}

bool is_tile_call(const Stmt& stmt) {
  const Call* call = call_of(stmt);
  if (call == nullptr || call->function == kCopyBox) return false;
  const auto known = call_touches().find(call->function);
  return known != call_touches().end() && !known->second.empty();
}

bool is_group_product(const Stmt& stmt) {
  const Call* call = as_call(stmt, kMultiplyTiles);
  return call != nullptr && call->arguments[0].as<View>()->buffer->scope == kWarpgroupScope;
}

bool only_tiles(const Stmt& stmt) {
  if (!stmt || is_tile_call(stmt)) return true;
  for (const std::string_view order : {kBeginProducts, kCommitProducts, kWaitProducts}) {
    if (as_call(stmt, order) != nullptr) return true;
  }
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
