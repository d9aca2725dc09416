#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

#include "base/suggest.h"
#include "compiler/graph/scanner.h"
#include "compiler/graph/text.h"

namespace vantage::graph {

namespace {

constexpr size_t kMostDimensions = 16;

class Parser {
 public:
  Parser(std::string_view text, std::string_view source, const Constants& constants)
      : scanner_(text, source), constants_(constants) {}

  // The last of all graphs, which may call those before it.
  Graph graphs() {
    for (;;) {
      scanner_.expect("graph");
      const Scanner::Place place = scanner_.place();
      Graph graph = this->graph();
      if (scanner_.at_end()) return graph;
      const std::string name = graph.name();
      if (!functions_.emplace(name, std::make_shared<const Graph>(std::move(graph))).second) {
        scanner_.refuse(place, fmt::format("graph {} is there twice", name));
      }
    }
  }

 private:
  Graph graph() {
    Graph graph(scanner_.name("the graph's name"));
    graph_ = &graph;
    values_.clear();
    scanner_.expect("(");
    while (!scanner_.take(")")) {
      if (!values_.empty()) scanner_.expect(",");
      const Scanner::Place place = scanner_.place();
      const std::string name = defined_name();
      scanner_.expect(":");
      const TensorType parsed = type();
      define(place, name, scanner_.placed(place, [&] { return graph.input(name, parsed); }));
    }
    if (scanner_.take("on")) graph.set_device(scanner_.name("a device"));
    scanner_.expect("{");
    while (!scanner_.take("return")) statement();
    std::vector<Value> outputs;
    std::vector<std::string> names;
    do {
      const Scanner::Place place = scanner_.place();
      outputs.push_back(value());
      if (scanner_.take("as")) names.push_back(scanner_.name("an output's name"));
      if (!names.empty() && names.size() != outputs.size()) {
        scanner_.refuse(place, "some outputs have names, expected one for each, as %x as y");
      }
    } while (scanner_.take(","));
    graph.set_outputs(std::move(outputs));
    scanner_.placed(scanner_.place(), [&] { graph.name_outputs(std::move(names)); });
    scanner_.expect("}");
    return graph;
  }

  void statement() {
    const Scanner::Place place = scanner_.place();
    const std::string name = defined_name();
    scanner_.expect("=");
    const Value defined = scanner_.take("constant") ? constant(place, name) : call(name);
    define(place, name, defined);
  }

  std::string defined_name() {
    if (!scanner_.at('%')) scanner_.refuse_next("a value's name, such as %x");
    scanner_.take("%");
    return scanner_.name("a name behind '%'");
  }

  void define(Scanner::Place place, const std::string& name, Value value) {
    if (!values_.emplace(name, value.node).second) scanner_.refuse(place, fmt::format("%{} is defined twice", name));
  }

  Value value() {
    const Scanner::Place place = scanner_.place();
    const std::string name = defined_name();
    const auto found = values_.find(name);
    if (found == values_.end()) {
      std::vector<std::string> names;
      for (const auto& [known, node] : values_) names.push_back(known);
      scanner_.refuse(place, fmt::format("%{} is not defined before{}", name, did_you_mean(name, names)));
    }
    const size_t count = graph_->nodes()[found->second].types.size();
    if (!scanner_.take(":")) {
      if (count > 1) scanner_.refuse(place, fmt::format("%{0} has {1} outputs, expected %{0}:0", name, count));
      return {found->second, 0};
    }
    const int64_t output = integer("an output's number");
    if (output < 0 || output >= static_cast<int64_t>(count)) {
      scanner_.refuse(place, fmt::format("%{} has {} outputs, and no number {}", name, count, output));
    }
    return {found->second, static_cast<uint32_t>(output)};
  }

  Value constant(Scanner::Place place, const std::string& name) {
    const TensorType parsed = type();
    if (!scanner_.take("{")) {
      const auto found = constants_.find(name);
      if (found == constants_.end()) {
        scanner_.refuse(place, fmt::format("the elements of %{} are neither here, in braces, nor given", name));
      }
      if (type_of(*found->second) != parsed) {
        scanner_.refuse(place, fmt::format("%{} is {} here, but what is given for it is {}", name, describe(parsed),
                                           describe(*found->second)));
      }
      return graph_->constant(found->second, name);
    }
    if (parsed.size() > kMostPrinted) {
      scanner_.refuse(
          place, fmt::format("%{} has {} elements, expected {} at most in a text", name, parsed.size(), kMostPrinted));
    }
    Tensor tensor(parsed.dtype, parsed.shape);
    for (int64_t e = 0; e < tensor.size(); ++e) {
      if (e > 0) scanner_.expect(",");
      const Scanner::Place at_element = scanner_.place();
      if (parsed.dtype.is_float()) {
        tensor.set_number(e, number("an element"));
      } else {
        const int64_t element = integer("an element");
        if (!parsed.dtype.holds(element)) {
          scanner_.refuse(at_element, fmt::format("{} is no {}", element, vantage::name(parsed.dtype)));
        }
        tensor.set_integer(e, element);
      }
    }
    scanner_.expect("}");
    return graph_->constant(std::move(tensor), name);
  }

  Value call(const std::string& name) {
    const Scanner::Place place = scanner_.place();
    const bool is_function = scanner_.take("@");
    const std::string op = scanner_.name(is_function ? "a graph's name" : "an operator, a graph or 'constant'");
    std::vector<Value> inputs;
    GivenAttributes attributes;
    scanner_.expect("(");
    for (bool first = true; !scanner_.take(")"); first = false) {
      if (!first) scanner_.expect(",");
      if (scanner_.at('%')) {
        if (!attributes.empty()) scanner_.refuse_next("an attribute, as inputs come before");
        inputs.push_back(value());
        continue;
      }
      std::string attribute = scanner_.name("an input, an attribute or ')'");
      scanner_.expect("=");
      attributes.emplace_back(std::move(attribute), this->attribute());
    }
    const Value made = scanner_.placed(place, [&] {
      if (!is_function) return graph_->call(op, std::move(inputs), std::move(attributes), name);
      if (!attributes.empty()) fail("{}: a graph has no attributes", name);
      const auto found = functions_.find(op);
      if (found == functions_.end()) fail("{}: there is no graph {} before", name, op);
      return graph_->call(found->second, std::move(inputs), name);
    });
    if (scanner_.take(":")) check_types(place, name, made);
    return made;
  }

  void check_types(Scanner::Place place, const std::string& name, Value made) {
    const std::vector<TensorType>& types = graph_->nodes()[made.node].types;
    for (size_t i = 0; i < types.size(); ++i) {
      if (i > 0) scanner_.expect(",");
      const TensorType said = type();
      if (said == types[i]) continue;
      scanner_.refuse(place,
                      fmt::format("%{} is {}, not {} as the text says", name, describe(types[i]), describe(said)));
    }
  }

  ops::Attribute attribute() {
    if (scanner_.take("true")) return true;
    if (scanner_.take("false")) return false;
    if (scanner_.at('"')) return scanner_.quoted();
    if (scanner_.take("[")) {
      ops::Integers list;
      while (!scanner_.take("]")) {
        if (!list.empty()) scanner_.expect(",");
        list.push_back(integer("an integer"));
      }
      return list;
    }
    const Scanner::Place place = scanner_.place();
    const std::string text = scanner_.number("true, false, a number, a list of integers or a word in quotes");
    if (text.find_first_not_of("-0123456789") == std::string::npos) return parsed_integer(place, text);
    return parsed_number(place, text);
  }

  TensorType type() {
    const Scanner::Place place = scanner_.place();
    const std::string dtype = scanner_.name("a type, such as float32[1, 3]");
    TensorType parsed = {scanner_.placed(place, [&] { return DType::parse(dtype); }), {}};
    if (parsed.dtype.is_void()) scanner_.refuse(place, "void is no type of elements");
    scanner_.expect("[");
    while (!scanner_.take("]")) {
      if (!parsed.shape.empty()) scanner_.expect(",");
      const Scanner::Place at_extent = scanner_.place();
      const int64_t extent = integer("a size");
      if (extent < 1) scanner_.refuse(at_extent, fmt::format("a size is {}, expected 1 or more", extent));
      if (parsed.shape.size() == kMostDimensions) scanner_.refuse(at_extent, "there are more than 16 dimensions");
      parsed.shape.push_back(extent);
    }
    scanner_.placed(place, [&] { return dense_bytes(parsed.dtype, parsed.shape); });
    return parsed;
  }

  int64_t integer(std::string_view what) {
    const Scanner::Place place = scanner_.place();
    return parsed_integer(place, scanner_.number(what));
  }
  int64_t parsed_integer(Scanner::Place place, const std::string& text) const {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      scanner_.refuse(place, fmt::format("'{}' is no integer of 64 bits", text));
    }
    return value;
  }
  double number(std::string_view what) {
    const Scanner::Place place = scanner_.place();
    return parsed_number(place, scanner_.number(what));
  }
  double parsed_number(Scanner::Place place, const std::string& text) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      scanner_.refuse(place, fmt::format("'{}' is no number that a double holds", text));
    }
    return value;
  }

  Scanner scanner_;
  const Constants& constants_;
  Graph* graph_ = nullptr;
  std::map<std::string, uint32_t, std::less<>> values_;
  std::map<std::string, std::shared_ptr<const Graph>, std::less<>> functions_;
};

}  // namespace

Graph parse_graph(std::string_view text, std::string_view source, const Constants& constants) {
  return Parser(text, source, constants).graphs();
}

}  // namespace vantage::graph
