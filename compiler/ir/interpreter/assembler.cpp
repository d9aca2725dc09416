#include "compiler/ir/interpreter/assembler.h"

#include <algorithm>
#include <bit>

namespace vantage::ir::interpreter {

namespace {

template <typename T>
int32_t append(std::vector<T>& all, T value) {
  all.push_back(std::move(value));
  return static_cast<int32_t>(all.size() - 1);
}

template <typename Map, typename Key>
const int32_t* look_up(const Map& map, Key key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

int32_t Assembler::emit(Instr instr) {
  return append(program.code, instr);
}

int32_t Assembler::take_registers(int32_t count) {
  const int32_t first = next_;
  next_ += count;
  program.registers = std::max(program.registers, next_);
  return first;
}

int32_t Assembler::constant(Scalar value) {
  const auto [it, fresh] = constants_.emplace(std::bit_cast<int64_t>(value), 0);
  if (fresh) it->second = -1 - append(program.constants, value);
  return it->second;
}

int32_t Assembler::list(const std::vector<int32_t>& registers) {
  const auto first = static_cast<int32_t>(program.lists.size());
  program.lists.insert(program.lists.end(), registers.begin(), registers.end());
  return first;
}

int32_t Assembler::quote(const Expr& expr) {
  return append(program.quotes, expr);
}
int32_t Assembler::name(std::string name) {
  return append(program.names, std::move(name));
}

const int32_t* Assembler::find(const VarNode* var) const {
  return look_up(vars_, var);
}
const int32_t* Assembler::find(const BufferNode* buffer) const {
  return look_up(buffers_, buffer);
}

int32_t Assembler::add_buffer(const Buffer& buffer, Home home) {
  return append(program.buffers, BufferUse{buffer, home});
}

}  // namespace vantage::ir::interpreter
