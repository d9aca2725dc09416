#include "hw/program/verifier.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/stop.h"
#include "hw/isa/disassemble.h"
#include "hw/isa/legality.h"
#include "hw/isa/tokens.h"
#include "hw/program/assembly.h"
#include "hw/program/largest_micro_op.h"
#include "hw/program/link.h"

namespace vantage {

using namespace isa;

namespace {

// How an instruction reads, by its index.
using InsnText = std::function<std::string(size_t)>;

class Verifier {
 public:
  Verifier(std::span<const Insn> insns, InsnText text, const isa::Config& config, const ReadMicroOp& read,
           const VerifyOptions& options)
      : insns_(insns),
        text_(std::move(text)),
        config_(config),
        read_(read),
        options_(options),
        uops_(options.initial_uops, config.depth(Memory::kUop).count()) {
    collect_written();
  }

  std::vector<Diagnostic> run() {
    size_t end = 0;
    bool finished = false;
    while (end < insns_.size() && !finished) {
      require_going_on(options_.stop);
      if (errors_ >= options_.max_diagnostics) return std::move(diagnostics_);
      std::visit([&](const auto& insn) { visit(end, insn); }, insns_[end]);
      finished = std::holds_alternative<Finish>(insns_[end]);
      ++end;
    }
    if (!finished) {
      error(std::nullopt, "the program has no FINISH: no device would ever report it done; end it with 'finish'");
      return std::move(diagnostics_);
    }
    if (end < insns_.size()) {
      warning(end, fmt::format("instruction {} and all after it follow FINISH and are never fetched", end));
    }
    check_tokens();
    return std::move(diagnostics_);
  }

 private:
  void visit(size_t index, const Load& load) {
    if (report(index, check(load, config_, options_.dram_size))) return;
    if (load.transfer.memory == Memory::kUop && !load.transfer.moves_nothing()) load_uops(load.transfer);
  }
  void visit(size_t index, const Store& store) { report(index, check(store, config_, options_.dram_size)); }
  void visit(size_t index, const Gemm& gemm) { visit_kernel(index, gemm); }
  void visit(size_t index, const Alu& alu) { visit_kernel(index, alu); }
  void visit(size_t, const Finish&) {}

  template <typename Kernel>
  void visit_kernel(size_t index, const Kernel& kernel) {
    const Loop& loop = kernel.loop;
    const bool runs_any = loop.uop_bgn < loop.uop_end && loop.uop_end <= uops_.micro_ops().size();
    // An unknown micro-op counts as one of zeros, the smallest indices there are: what is illegal then always is.
    const LargestMicroOp largest = runs_any ? uops_.largest(loop.uop_bgn, loop.uop_end) : LargestMicroOp{};
    const bool legal = runs_any && is_legal_with(kernel, largest.fields);
    if (!legal && report(index, check(kernel, config_, uops_.micro_ops()))) return;
    if (largest.any_unknown && warnings_ < options_.max_diagnostics) {
      warning(index,
              where(index) + ": its micro-ops are not known in advance, so they can be checked only while it runs");
    }
  }

  // Each index grows with one field of a micro-op, so what is legal with the largest of each is legal with them all.
  template <typename Kernel>
  bool is_legal_with(Kernel kernel, const MicroOp& largest) const {
    kernel.loop.uop_bgn = 0;
    kernel.loop.uop_end = 1;
    return !check(kernel, config_, std::span(&largest, 1));
  }

  // The DRAM that this program's legal STOREs write, as disjoint ranges in ascending order.
  void collect_written() {
    for (const Insn& insn : insns_) {
      require_going_on(options_.stop);
      if (std::holds_alternative<Finish>(insn)) break;
      const auto* store = std::get_if<Store>(&insn);
      if (store == nullptr || store->transfer.moves_nothing() || check(*store, config_, options_.dram_size)) continue;
      written_.push_back(dram_range(store->transfer, config_));
    }
    std::sort(written_.begin(), written_.end(), [&](const ByteRange& a, const ByteRange& b) {
      require_going_on(options_.stop);
      return a.begin < b.begin;
    });
    std::vector<ByteRange> merged;
    for (const ByteRange& range : written_) {
      if (!merged.empty() && range.begin <= merged.back().end) {
        merged.back().end = std::max(merged.back().end, range.end);
      } else {
        merged.push_back(range);
      }
    }
    written_ = std::move(merged);
  }

  bool may_be_written(uint64_t uop_element) const {
    const Bytes begin(uop_element * kMicroOpBytes);
    const auto after = std::upper_bound(written_.begin(), written_.end(), begin,
                                        [](Bytes at, const ByteRange& range) { return at < range.end; });
    return after != written_.end() && after->begin < begin + Bytes(kMicroOpBytes);
  }

  // The compute stage runs in order, so its micro-op scratchpad is known at every instruction.
  void load_uops(const Transfer& t) {
    uops_.load(t.sram_base, t.x_size, [&](uint64_t i) -> std::optional<MicroOp> {
      require_going_on(options_.stop);
      const uint64_t element = uint64_t{t.dram_base} + i;
      if (may_be_written(element)) return std::nullopt;
      return read_(element);
    });
  }

  void check_tokens() {
    // Tokens of illegal instructions mean nothing.
    if (has_errors(diagnostics_)) return;
    const TokenReport tokens = run_tokens(insns_, options_.stop);
    if (tokens.deadlock) {
      error(tokens.deadlock.stages.front().insn,
            "deadlock: " + deadlock_message(
                               tokens.deadlock, [&](size_t index) -> const Insn& { return insns_[index]; }, text_));
    } else if (const std::string left = tokens.leftover.leftover(); !left.empty()) {
      warning(std::nullopt, fmt::format("tokens are left over at FINISH: {}", left));
    }
  }

  std::string where(size_t index) const { return fmt::format("instruction {}: {}", index, text_(index)); }
  bool report(size_t index, const Illegal& illegal) {
    if (illegal) error(index, where(index) + ": " + *illegal);
    return illegal.has_value();
  }
  void error(std::optional<size_t> index, std::string text) {
    diagnostics_.push_back({Diagnostic::Severity::kError, index, std::move(text)});
    ++errors_;
  }
  void warning(std::optional<size_t> index, std::string text) {
    if (warnings_ >= options_.max_diagnostics) return;
    diagnostics_.push_back({Diagnostic::Severity::kWarning, index, std::move(text)});
    ++warnings_;
  }

  std::span<const Insn> insns_;
  const InsnText text_;
  const isa::Config& config_;
  const ReadMicroOp& read_;
  const VerifyOptions& options_;
  MicroOpMaxima uops_;
  std::vector<ByteRange> written_;
  std::vector<Diagnostic> diagnostics_;
  size_t errors_ = 0;
  size_t warnings_ = 0;
};

// A transfer must stay inside the tensor that its relocation names.
std::vector<Diagnostic> check_tensor_bounds(const Program& program, const VerifyOptions& options) {
  std::vector<Diagnostic> diagnostics;
  for (const Relocation& relocation : program.relocations) {
    require_going_on(options.stop);
    if (diagnostics.size() >= options.max_diagnostics) break;
    const Insn& insn = program.insns[relocation.insn];
    const Bytes end = dram_range(*transfer(insn), program.config).end;
    const Bytes size = program.symbol_size(relocation.symbol);
    if (end > size) {
      diagnostics.push_back({Diagnostic::Severity::kError, relocation.insn,
                             fmt::format("instruction {}: {}: it reaches byte {} of {}, which has {}", relocation.insn,
                                         disassemble(program, relocation.insn), end.count(),
                                         program.symbol_name(relocation.symbol), size.count())});
    }
  }
  return diagnostics;
}

}  // namespace

bool has_errors(std::span<const Diagnostic> diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Diagnostic::Severity::kError; });
}

std::string to_text(std::span<const Diagnostic> diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) {
    text += fmt::format("{}: {}\n", d.severity == Diagnostic::Severity::kError ? "error" : "warning", d.text);
  }
  return text;
}

std::vector<Diagnostic> verify(std::span<const Insn> insns, const isa::Config& config, const ReadMicroOp& read,
                               const VerifyOptions& options) {
  return Verifier(
             insns, [&](size_t index) { return disassemble(insns[index]); }, config, read, options)
      .run();
}

std::vector<Diagnostic> verify(std::span<const Words> words, const isa::Config& config, const ReadMicroOp& read,
                               const VerifyOptions& options) {
  const Codec codec(config);
  std::vector<Insn> insns;
  std::vector<Diagnostic> diagnostics;
  insns.reserve(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    require_going_on(options.stop);
    Decoded decoded = codec.decode(words[i]);
    if (!decoded.insn) {
      diagnostics.push_back(
          {Diagnostic::Severity::kError, i,
           fmt::format("instruction {}: 0x{:016x} 0x{:016x}: {}", i, words[i][0], words[i][1], decoded.error)});
      if (diagnostics.size() >= options.max_diagnostics) break;
      continue;
    }
    insns.push_back(*decoded.insn);
    if (std::holds_alternative<Finish>(insns.back())) break;  // what follows is never fetched
  }
  // With holes in it, indices and tokens of the rest would be wrong.
  if (!diagnostics.empty()) return diagnostics;
  return verify(insns, config, read, options);
}

std::vector<Diagnostic> verify(const Program& program, const VerifyOptions& options) {
  std::vector<Diagnostic> diagnostics = check_tensor_bounds(program, options);
  // Past its tensor, a transfer would reach a neighbour of this made-up placement; what follows from that means
  // nothing.
  if (!diagnostics.empty()) return diagnostics;
  if (auto fault = fault_of_size(program, options.dram_size)) {
    return {{Diagnostic::Severity::kError, std::nullopt, std::move(*fault)}};
  }
  const Placement placement = place_sequentially(program, Bytes(4096));
  const uint64_t first = placement.uops.count() / kMicroOpBytes;
  const auto read = [&](uint64_t element) -> std::optional<MicroOp> {
    if (element < first || element - first >= program.uops.size()) return std::nullopt;
    return program.uops[element - first];
  };
  const std::vector<Insn> insns = link(program, placement, options.stop);
  return Verifier(
             insns, [&](size_t index) { return disassemble(program, index); }, program.config, read, options)
      .run();
}

}  // namespace vantage
