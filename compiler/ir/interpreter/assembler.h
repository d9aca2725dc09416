// A program while it is made: instructions, registers that are given out and taken back like a stack, and what
// variables and buffers in scope stand for.
#pragma once

#include <unordered_map>
#include <utility>

#include "compiler/ir/interpreter/program.h"

namespace vantage::ir::interpreter {

// While it lives, `key` stands for `value`; what it stood for before comes back afterwards.
template <typename Key>
class Binding {
 public:
  using Map = std::unordered_map<Key, int32_t>;
  Binding(Map& map, Key key, int32_t value) : map_(&map), key_(key) {
    const auto [it, fresh] = map.emplace(key, value);
    hides_ = !fresh;
    if (hides_) hidden_ = std::exchange(it->second, value);
  }
  Binding(Binding&& other) noexcept
      : map_(std::exchange(other.map_, nullptr)), key_(other.key_), hides_(other.hides_), hidden_(other.hidden_) {}
  Binding& operator=(Binding&&) = delete;
  ~Binding() {
    if (map_ == nullptr) return;
    if (hides_) {
      (*map_)[key_] = hidden_;
    } else {
      map_->erase(key_);
    }
  }

 private:
  Map* map_;
  Key key_;
  bool hides_;
  int32_t hidden_ = 0;
};

class Assembler {
 public:
  Program program;

  // Returns the instruction's place.
  int32_t emit(Instr instr);
  int32_t here() const { return static_cast<int32_t>(program.code.size()); }
  // Makes the jump at `jump` go to the next instruction emitted.
  void land(int32_t jump) { program.code[static_cast<size_t>(jump)].target = here(); }

  int32_t take_registers(int32_t count = 1);
  // Takes back, at its end, all registers given out during its life.
  class Frame {
   public:
    explicit Frame(Assembler& assembler) : assembler_(assembler), mark_(assembler.next_) {}
    ~Frame() { assembler_.next_ = mark_; }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

   private:
    Assembler& assembler_;
    int32_t mark_;
  };
  int32_t constant(Scalar value);

  int32_t list(const std::vector<int32_t>& registers);
  int32_t quote(const Expr& expr);
  int32_t name(std::string name);

  [[nodiscard]] Binding<const VarNode*> bind(const Var& var, int32_t value) { return {vars_, var.get(), value}; }
  [[nodiscard]] Binding<const BufferNode*> bind(const Buffer& buffer, int32_t memory) {
    return {buffers_, buffer.get(), memory};
  }
  // For the rest of the program.
  void define(const Var& var, int32_t value) { vars_[var.get()] = value; }
  void define(const Buffer& buffer, int32_t memory) { buffers_[buffer.get()] = memory; }
  const int32_t* find(const VarNode* var) const;
  const int32_t* find(const BufferNode* buffer) const;
  // A new place for a buffer's elements.
  int32_t add_buffer(const Buffer& buffer, Home home);

 private:
  int32_t next_ = 0;
  std::unordered_map<int64_t, int32_t> constants_;  // by their bits
  std::unordered_map<const VarNode*, int32_t> vars_;
  std::unordered_map<const BufferNode*, int32_t> buffers_;
};

}  // namespace vantage::ir::interpreter
