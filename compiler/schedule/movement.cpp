#include "compiler/schedule/movement.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/accesses.h"

namespace vantage::schedule {

namespace {

bool is_among(const std::vector<Buffer>& list, const Buffer& buffer) {
  return std::find(list.begin(), list.end(), buffer) != list.end();
}

std::vector<Stmt> children(const Stmt& stmt) {
  if (const auto* all = stmt.as<ir::Seq>()) return all->stmts;
  if (const auto* choice = stmt.as<ir::If>()) return {choice->then, choice->otherwise};
  if (const auto* loop = stmt.as<For>()) return {loop->body};
  if (const auto* block = stmt.as<Block>()) return {block->body};
  if (const auto* let = stmt.as<ir::Let>()) return {let->body};
  if (const auto* allocate = stmt.as<ir::Allocate>()) return {allocate->body};
  return {};
}

const std::vector<ir::Range>* box_of(const std::vector<ir::BufferRegion>& regions, const Buffer& buffer) {
  const auto found = std::find_if(regions.begin(), regions.end(), [&](const auto& r) { return r.buffer == buffer; });
  return found == regions.end() ? nullptr : &found->box;
}

// Whether what one statement reads and what the other writes of a buffer have nothing in common.
bool apart(const Stmt& reader, const Stmt& writer, const Buffer& buffer, const ir::Analyzer& outer) {
  ir::Analyzer analyzer = outer;
  const ir::Regions reads = ir::regions(reader, analyzer, {buffer}), writes = ir::regions(writer, analyzer, {buffer});
  const auto *a = box_of(reads.reads, buffer), *b = box_of(writes.writes, buffer);
  for (size_t d = 0; a != nullptr && b != nullptr && d < a->size(); ++d) {
    const Expr begin_a = cast(ir::kInt64, (*a)[d].min), begin_b = cast(ir::kInt64, (*b)[d].min);
    if (analyzer.prove(begin_a + cast(ir::kInt64, (*a)[d].extent) <= begin_b) ||
        analyzer.prove(begin_b + cast(ir::kInt64, (*b)[d].extent) <= begin_a)) {
      return true;
    }
  }
  return false;
}

// Whether a block runs for all of its axes' values that its bindings reach: what its predicate says is known of the
// domains, or asked of all these others too.
bool runs_always(const PrimFunc& function, const Path& path, const std::vector<Path>& others) {
  const Block& block = block_at(path);
  ir::Analyzer analyzer = analyzer_for(function, path);
  assume_domains(analyzer, block);
  for (const Expr& condition : ir::conjuncts(block.predicate)) {
    const auto asks = [&](const Path& other) {
      const auto* reader = other.back().as<Block>();
      if (reader == nullptr) return false;
      const auto parts = ir::conjuncts(reader->predicate);
      return std::any_of(parts.begin(), parts.end(), [&](const Expr& p) { return structural_equal(p, condition); });
    };
    if (!analyzer.prove(condition) && !std::all_of(others.begin(), others.end(), asks)) return false;
  }
  return true;
}

// Whether all of a buffer that is read in one iteration of the loops around is made in it.
bool made_anew(const PrimFunc& function, const Between& b, const Path& block, const std::vector<Path>& others,
               const Buffer& made) {
  const auto is_inside = [&](const Stmt& stmt) {
    const auto* allocate = stmt.as<ir::Allocate>();
    return allocate != nullptr && allocate->buffer == made;
  };
  if (std::any_of(b.around.begin(), b.around.end(), is_inside)) return true;
  for (size_t i = b.around.size(); i < block.size(); ++i) {
    if (block[i].kind() == ir::StmtKind::kIf) return false;
  }
  if (!runs_always(function, block, others)) return false;
  ir::Analyzer analyzer = analyzer_for(function, b.around);
  const ir::Regions first = ir::regions(b.stmts.front(), analyzer, {made});
  const auto* whole = box_of(first.writes, made);
  if (whole == nullptr) return false;
  for (const Stmt& stmt : b.stmts) {
    const ir::Regions regions = ir::regions(stmt, analyzer, {made});
    const auto* needed = box_of(regions.reads, made);
    for (size_t d = 0; needed != nullptr && d < needed->size(); ++d) {
      const ir::Range &have = (*whole)[d], &want = (*needed)[d];
      if (!analyzer.prove(have.min <= want.min) || !analyzer.prove(want.min + want.extent <= have.min + have.extent)) {
        return false;
      }
    }
  }
  return true;
}

// A loop around a block that its statements use as they are, not by way of an axis; null: none.
const For* used_directly(const Block& block, const Path& around) {
  for (const Stmt& stmt : around) {
    const auto* loop = stmt.as<For>();
    if (loop == nullptr) continue;
    if (ir::uses_var(block.body, loop->var) || (block.init && ir::uses_var(block.init, loop->var))) return loop;
  }
  return nullptr;
}

std::string place_of(const Path& path) {
  if (const auto* loop = path.back().as<For>()) return "the loop " + loop->var.name();
  const std::vector<Access> all = accesses(path.back());
  return all.empty() ? std::string("it") : described(all.front());
}

// Error where what one block makes in an iteration of a loop around may be read in another, by blocks behind it, and
// `mover`, one of them all that is to run elsewhere, would find other `inputs` there.
void require_made_anew(const PrimFunc& function, const Between& b, const Path& producer,
                       const std::vector<Path>& others, const Buffer& made, const Path& mover,
                       const std::vector<Buffer>& inputs, std::string_view primitive) {
  if (b.loop == nullptr) return;
  const For* used = used_directly(block_at(mover), b.around);
  std::string changes = used == nullptr ? "" : fmt::format("it uses {}", used->var.name());
  for (const Access& access : accesses(b.loop->body)) {
    if (access.stmt.same_as(mover.back())) continue;
    for (const Buffer& written : access.writes) {
      if (is_among(inputs, written)) changes = fmt::format("{} writes {}", described(access), written->name);
    }
  }
  if (changes.empty() || made_anew(function, b, producer, others, made)) return;
  fail(
      "{}: not all that is read of {} in an iteration of the loop {} is known to be made in it by the block {}, and {}",
      primitive, made->name, b.loop->var.name(), block_at(producer).name, changes);
}

}  // namespace

Between between(const Path& first, const std::vector<Path>& others, std::string_view primitive) {
  size_t length = first.size();
  for (const Path& other : others) length = std::min(length, common_length(first, other));
  VANTAGE_CHECK(length > 0);
  Between result{Path(first.begin(), first.begin() + static_cast<ptrdiff_t>(length)), {}, nullptr};
  const std::vector<Stmt> inside = children(result.around.back());
  const auto place = [&](const Path& path) {
    return std::find_if(inside.begin(), inside.end(), [&](const Stmt& s) { return s && s.same_as(path[length]); });
  };
  const auto begin = length < first.size() ? place(first) : inside.begin();
  auto end = begin;
  for (const Path& other : others) {
    const auto at = length < other.size() ? place(other) : begin;
    if (at < begin || result.around.back().kind() == ir::StmtKind::kIf) {
      fail("{}: {} does not stand behind {}", primitive, place_of(other), place_of(first));
    }
    end = std::max(end, at);
  }
  result.stmts.assign(begin, end + 1);
  for (const Stmt& stmt : result.around) {
    if (stmt.kind() == ir::StmtKind::kBlock) result.loop = nullptr;
    if (result.loop == nullptr) result.loop = stmt.as<For>();
  }
  return result;
}

void require_same_later(const PrimFunc& function, const Path& path, const std::vector<Path>& others, const Buffer& made,
                        std::string_view primitive) {
  const Between b = between(path, others, primitive);
  const Block& block = block_at(path);
  std::vector<Buffer> inputs = accesses(path.back()).front().reads;
  std::erase(inputs, made);
  const ir::Analyzer analyzer = analyzer_for(function, b.around);
  for (const Stmt& stmt : b.stmts) {
    for (const Access& access : accesses(stmt)) {
      if (access.stmt.same_as(path.back())) continue;
      for (const Buffer& written : access.writes) {
        if (!is_among(inputs, written) || apart(b.stmts.front(), stmt, written, analyzer)) continue;
        fail(
            "{}: {} writes {}, which the block {} reads, before all that reads {} has done so; do it where {} is "
            "still as it was, or cache_read {}",
            primitive, described(access), written->name, block.name, made->name, written->name, written->name);
      }
    }
  }
  require_made_anew(function, b, path, others, made, path, inputs, primitive);
}

void require_made_anew(const PrimFunc& function, const Path& producer, const Path& reader, const Buffer& made,
                       std::string_view primitive) {
  const Between b = between(producer, {reader}, primitive);
  const Access block = accesses(reader.back()).front();
  std::vector<Buffer> inputs = block.reads;
  inputs.insert(inputs.end(), block.writes.begin(), block.writes.end());
  std::erase(inputs, made);
  require_made_anew(function, b, producer, {reader}, made, reader, inputs, primitive);
}

void require_same_earlier(const Path& path, const Path& producer, const std::vector<Stmt>& makers,
                          std::string_view primitive) {
  const Between b = between(producer, {path}, primitive);
  const Access block = accesses(path.back()).front();
  for (const Stmt& stmt : b.stmts) {
    for (const Access& access : accesses(stmt)) {
      if (access.stmt.same_as(path.back())) continue;
      for (const Buffer& written : block.writes) {
        if (!access.writes_any_of(written) && !access.reads_any_of(written)) continue;
        fail("{}: {} {} {}, which the block {} would have written before", primitive, described(access),
             access.writes_any_of(written) ? "writes" : "reads", written->name, block_at(path).name);
      }
      const bool is_maker =
          std::any_of(makers.begin(), makers.end(), [&](const Stmt& m) { return m.same_as(access.stmt); });
      for (const Buffer& read : block.reads) {
        if (!access.writes_any_of(read) || is_maker) continue;
        fail("{}: {} writes {}, which the block {} would have read before", primitive, described(access), read->name,
             block_at(path).name);
      }
    }
  }
}

void require_defined_at(const Path& block, const Path& place, std::string_view primitive, bool both) {
  const Block& node = block_at(block);
  for (size_t i = common_length(block, place); i + 1 < block.size(); ++i) {
    if (const auto* choice = block[i].as<ir::If>()) {
      fail("{}: the block {} runs only where '{}'{}, and {} is not under this condition", primitive, node.name,
           ir::to_text(choice->condition), choice->then.same_as(block[i + 1]) ? "" : " does not hold", place_of(place));
    }
  }
  for (size_t i = common_length(block, place); both && i + 1 < place.size(); ++i) {
    if (const auto* choice = place[i].as<ir::If>()) {
      fail("{}: {} runs only where '{}'{}, and the block {} is not under this condition", primitive, place_of(place),
           ir::to_text(choice->condition), choice->then.same_as(place[i + 1]) ? "" : " does not hold", node.name);
    }
  }
  std::string used = used_of(node.body, block, common_length(block, place));
  if (used.empty() && node.init) used = used_of(node.init, block, common_length(block, place));
  if (used.empty()) return;
  fail("{}: the block {} uses {}, which is there around it, but not around {}", primitive, node.name, used,
       place_of(place));
}

}  // namespace vantage::schedule
