// Sums of products that a text describes.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "frontend/onnx/operators.h"

namespace vantage::onnx_models {

namespace {

// Letters of each operand, "..." as capital letters from the last axis on.
std::string letters_of(std::string text, size_t rank) {
  std::erase(text, ' ');
  const size_t dots = text.find("...");
  if (dots == std::string::npos) return text;
  std::string all;
  for (size_t d = rank - (text.size() - 3); d-- > 0;) all += static_cast<char>('A' + static_cast<char>(d % 26));
  return text.replace(dots, 3, all);
}

// Sums over letters that the result lacks, of products of all operands.
std::vector<Value> einsum(const Node& node) {
  Builder& b = node.builder();
  std::string equation = node.text("equation", "");
  std::erase(equation, ' ');
  const size_t arrow = equation.find("->");
  std::vector<std::string> terms(1);
  for (const char c : equation.substr(0, arrow))
    c == ',' ? static_cast<void>(terms.emplace_back()) : terms.back().push_back(c);
  if (terms.size() != node.inputs())
    fail("its equation, {}, is of {} operands, not {}", equation, terms.size(), node.inputs());
  std::map<char, int64_t> sizes;
  std::vector<Value> operands;
  std::map<char, int> count;
  std::string dots;
  for (size_t i = 0; i < terms.size(); ++i) {
    Value x = node.input(i);
    const bool has_dots = terms[i].find("...") != std::string::npos;
    if (has_dots && b.shape(x).size() + 3 < terms[i].size()) fail("its equation, {}, has too many letters", equation);
    std::string letters = letters_of(terms[i], b.shape(x).size());
    if (letters.size() != b.shape(x).size()) fail("its equation, {}, does not fit {}", equation, describe(b.type(x)));
    for (const char letter : letters) ++count[letter];
    // Of a letter that is there twice the diagonal.
    for (size_t d = 0; d < letters.size(); ++d) {
      const size_t again = letters.find(letters[d], d + 1);
      if (again == std::string::npos) continue;
      if (b.shape(x)[d] != b.shape(x)[again]) fail("its letter {} has two sizes", letters[d]);
      Tensor places = b.blank(kInt64, b.shape(x));
      for (int64_t e = 0; e < places.size(); ++e) places.set_integer(e, places.index_of(e)[d]);
      const Value diagonal =
          b.call("gather_elements", {x, b.constant(std::move(places))}, {{"axis", static_cast<int64_t>(again)}});
      x = b.squeeze(b.slice(diagonal, again, 0, 1), again);
      letters.erase(again, 1);
      --d;
    }
    for (size_t d = 0; d < letters.size(); ++d) {
      const int64_t size = b.shape(x)[d];
      int64_t& known = sizes.emplace(letters[d], size).first->second;
      if (known != size && known != 1 && size != 1)
        fail("its letter {} has the sizes {} and {}", letters[d], known, size);
      known = std::max(known, size);
      if (std::isupper(static_cast<unsigned char>(letters[d])) != 0 && dots.find(letters[d]) == std::string::npos)
        dots += letters[d];
    }
    operands.push_back(x);
    terms[i] = letters;
  }
  std::sort(dots.rbegin(), dots.rend());
  std::string result;
  if (arrow != std::string::npos) {
    result = equation.substr(arrow + 2);
    if (const size_t at = result.find("..."); at != std::string::npos) result.replace(at, 3, dots);
  } else {
    result = dots;
    for (const auto& [letter, times] : count) {
      if (times == 1 && std::isupper(static_cast<unsigned char>(letter)) == 0) result += letter;
    }
  }
  for (const char letter : result) {
    if (sizes.count(letter) == 0) fail("its equation, {}, makes the letter {} of nothing", equation, letter);
    if (std::count(result.begin(), result.end(), letter) > 1)
      fail("its equation, {}, makes {} twice", equation, letter);
  }
  // Two at a time, as a stack of matrices: letters of both that stay, those that are added up, and those of one.
  Value all = operands[0];
  std::string letters = terms[0];
  const auto arranged = [&](Value x, const std::string& has, const std::string& wanted) {
    Integers order;
    for (const char letter : wanted) {
      if (const size_t at = has.find(letter); at != std::string::npos) order.push_back(static_cast<int64_t>(at));
    }
    x = b.transpose(x, order);
    Tensor::Shape shape;
    size_t from = 0;
    for (const char letter : wanted) shape.push_back(has.find(letter) == std::string::npos ? 1 : b.shape(x)[from++]);
    return b.reshape(x, shape);
  };
  const auto summed = [&](Value x, std::string& has, const std::function<bool(char)>& stays) {
    Integers axes;
    std::string left;
    for (size_t d = 0; d < has.size(); ++d) {
      if (stays(has[d])) {
        left += has[d];
      } else {
        axes.push_back(static_cast<int64_t>(d));
      }
    }
    has = left;
    return axes.empty() ? x : b.fold("sum", b.wide(x), axes, false);
  };
  for (size_t i = 1; i <= operands.size(); ++i) {
    const auto stays = [&](char letter) {
      if (result.find(letter) != std::string::npos) return true;
      for (size_t later = i; later < terms.size(); ++later) {
        if (terms[later].find(letter) != std::string::npos) return true;
      }
      return false;
    };
    all = summed(all, letters, stays);
    if (i == operands.size()) break;
    const auto stays_later = [&](char letter) {
      if (result.find(letter) != std::string::npos) return true;
      for (size_t later = i + 1; later < terms.size(); ++later) {
        if (terms[later].find(letter) != std::string::npos) return true;
      }
      return false;
    };
    std::string stack, inner, left, right;
    for (const char letter : letters) {
      const bool both = terms[i].find(letter) != std::string::npos;
      (both ? (stays_later(letter) ? stack : inner) : left) += letter;
    }
    for (const char letter : terms[i]) {
      if (letters.find(letter) == std::string::npos) right += letter;
    }
    const auto extent = [&](const std::string& of) {
      int64_t size = 1;
      for (const char letter : of) {
        if (__builtin_mul_overflow(size, sizes[letter], &size)) fail("its sums have more terms than any memory");
      }
      return size;
    };
    const auto whole = [&](Value x, const std::string& has, const std::string& order) {
      x = arranged(x, has, order);
      Tensor::Shape shape;
      for (const char letter : order) shape.push_back(sizes[letter]);
      return b.broadcast_to(x, shape);
    };
    const Value x = b.reshape(whole(all, letters, stack + left + inner), {extent(stack), extent(left), extent(inner)});
    const Value y = b.reshape(whole(b.cast(operands[i], b.dtype(all)), terms[i], stack + inner + right),
                              {extent(stack), extent(inner), extent(right)});
    all = b.product("matmul", {x, y});
    letters = stack + left + right;
    Tensor::Shape shape;
    for (const char letter : letters) shape.push_back(sizes[letter]);
    all = b.reshape(all, shape);
  }
  return {b.cast(arranged(all, letters, result), b.dtype(operands[0]))};
}

}  // namespace

OperatorFamily einsum_family() {
  return {{"Einsum", einsum}};
}

}  // namespace vantage::onnx_models
