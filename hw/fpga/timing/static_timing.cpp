#include "hw/fpga/timing/static_timing.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/error.h"

namespace vantage::fpga {

namespace {

using Net = Netlist::Net;
constexpr uint32_t kNone = UINT32_MAX;

bool any_matches(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return matches(p, text); });
}

bool allows(const std::vector<std::string>& patterns, std::string_view text) {
  return patterns.empty() || any_matches(patterns, text);
}

// A bit of a cell's pin.
struct Bit {
  uint32_t connection, index;
  Net net;
};

// From one net through a cell to another.
struct Arc {
  Net from, to;
  uint32_t cell, pin;  // where it comes in: a connection of the cell
  double net_ns, cell_ns;
};

struct End {
  Net net;
  uint32_t cell, pin;
  double net_ns, setup_ns, ns;
};

struct Driver {
  uint32_t cell = kNone, connection = 0;
};

class Analysis {
 public:
  Analysis(const Netlist& netlist, const CellDelays& delays, const TimingOptions& options)
      : netlist_(netlist),
        delays_(delays),
        options_(options),
        drivers_(netlist.names.size()),
        fan_out_(netlist.names.size()),
        arrival_(netlist.names.size(), -1),
        launched_(netlist.names.size(), -1),
        last_arc_(netlist.names.size(), kNone) {}

  Timing run() {
    require_known_cells();
    connect();
    for (uint32_t c = 0; c < netlist_.cells.size(); ++c) add_cell(c);
    add_inputs();
    propagate();
    add_outputs();
    return report();
  }

 private:
  const Netlist::Cell& cell(uint32_t number) const { return netlist_.cells[number]; }
  const Netlist::Connection& connection(uint32_t cell_number, uint32_t pin) const {
    return cell(cell_number).connections[pin];
  }

  void require_known_cells() const {
    std::set<std::string> unknown;
    for (const Netlist::Cell& c : netlist_.cells) {
      if (!delays_.cells.contains(c.type)) unknown.insert(c.type);
    }
    if (!unknown.empty()) fail("no delays are known of {} ({})", fmt::join(unknown, ", "), delays_.name);
  }

  void connect() {
    for (uint32_t c = 0; c < netlist_.cells.size(); ++c) {
      for (uint32_t p = 0; p < cell(c).connections.size(); ++p) {
        const Netlist::Connection& connection = cell(c).connections[p];
        for (const auto& net : connection.nets) {
          if (!net) continue;
          if (connection.is_output) {
            drivers_[*net] = {c, p};
          } else {
            ++fan_out_[*net];
          }
        }
      }
    }
  }

  // Bits of a cell's pins by the names of its delays: "A", "CO[2]".
  std::vector<Bit> bits(uint32_t number, const std::vector<std::string>& pins) const {
    std::vector<Bit> found;
    for (uint32_t p = 0; p < cell(number).connections.size(); ++p) {
      const Netlist::Connection& c = cell(number).connections[p];
      for (const std::string& pin : pins) {
        const size_t bracket = pin.find('[');
        if (std::string_view(pin).substr(0, bracket) != c.pin) continue;
        const bool all = bracket == std::string::npos;
        const size_t wanted = all ? 0 : std::stoul(pin.substr(bracket + 1));
        for (uint32_t i = 0; i < c.nets.size(); ++i) {
          if (c.nets[i] && (all || i == wanted)) found.push_back({p, i, *c.nets[i]});
        }
      }
    }
    return found;
  }

  bool applies(const CellRule& rule, const CellPath& path, const Netlist::Cell& of) const {
    return std::all_of(path.when.begin(), path.when.end(), [&](const auto& condition) {
      const auto& [key, values] = condition;
      const auto given = of.parameters.find(key);
      const auto fallback = rule.defaults.find(key);
      if (given == of.parameters.end() && fallback == rule.defaults.end()) return false;
      const std::string& value = given != of.parameters.end() ? given->second : fallback->second;
      return std::find(values.begin(), values.end(), value) != values.end();
    });
  }

  void add_cell(uint32_t number) {
    const CellRule& rule = delays_.cells.find(cell(number).type)->second;
    for (const CellPath& path : rule.paths) {
      if (!applies(rule, path, cell(number))) continue;
      const std::vector<Bit> from = bits(number, path.from), to = bits(number, path.to);
      if (path.from.empty()) {
        for (const Bit& bit : to) launched_[bit.net] = std::max(launched_[bit.net], path.ns);
      } else if (path.to.empty()) {
        for (const Bit& bit : from) ends_.push_back({bit.net, number, bit.connection, 0, path.ns, 0});
      } else {
        for (const Bit& in : from) {
          for (const Bit& out : to) {
            arcs_.push_back(
                {in.net, out.net, number, in.connection, net_delay(in.net, number, in.connection), path.ns});
          }
        }
      }
    }
  }

  double net_delay(Net net, uint32_t sink_cell, uint32_t sink_pin) const {
    const Driver& driver = drivers_[net];
    const std::string_view driver_type = driver.cell == kNone ? "port" : std::string_view(cell(driver.cell).type);
    const std::string_view out =
        driver.cell == kNone ? "" : std::string_view(connection(driver.cell, driver.connection).pin);
    const std::string_view sink = cell(sink_cell).type;
    const std::string_view in = connection(sink_cell, sink_pin).pin;
    for (const LocalNet& local : delays_.local) {
      if (local.alone && fan_out_[net] != 1) continue;
      if (allows(local.driver, driver_type) && allows(local.out, out) && allows(local.sink, sink) &&
          allows(local.in, in)) {
        return local.ns;
      }
    }
    double ns = delays_.net_base + delays_.net_doubling * std::log2(fan_out_[net]);
    if (any_matches(delays_.far_types, driver_type) || any_matches(delays_.far_types, sink)) ns += delays_.far_ns;
    return std::min(ns, delays_.net_most);
  }

  void add_inputs() {
    for (const Netlist::Port& port : netlist_.ports) {
      if (!port.is_input) continue;
      const bool early = std::find(options_.early_inputs.begin(), options_.early_inputs.end(), port.name) !=
                         options_.early_inputs.end();
      for (const auto& net : port.nets) {
        if (net) launched_[*net] = early ? 0 : delays_.input_ns;
      }
    }
  }

  // In an order in which every net comes after those that lead to it.
  void propagate() {
    const size_t count = netlist_.names.size();
    std::vector<uint32_t> waits(count), first(count + 1);
    for (const Arc& arc : arcs_) ++first[arc.from + 1];
    for (size_t i = 0; i < count; ++i) first[i + 1] += first[i];
    std::vector<uint32_t> leaving(arcs_.size()), next(first.begin(), first.end() - 1);
    for (uint32_t a = 0; a < arcs_.size(); ++a) {
      leaving[next[arcs_[a].from]++] = a;
      ++waits[arcs_[a].to];
    }
    arrival_ = launched_;
    std::vector<Net> ready;
    for (Net net = 0; net < count; ++net) {
      if (waits[net] == 0) ready.push_back(net);
    }
    size_t done = 0;
    while (!ready.empty()) {
      const Net net = ready.back();
      ready.pop_back();
      ++done;
      for (uint32_t i = first[net]; i < first[net + 1]; ++i) {
        const Arc& arc = arcs_[leaving[i]];
        const double at = arrival_[net] + arc.net_ns + arc.cell_ns;
        if (arrival_[net] >= 0 && at > arrival_[arc.to]) {
          arrival_[arc.to] = at;
          last_arc_[arc.to] = leaving[i];
        }
        if (--waits[arc.to] == 0) ready.push_back(arc.to);
      }
    }
    if (done == count) return;
    const auto in_loop = std::find_if(waits.begin(), waits.end(), [](uint32_t n) { return n > 0; });
    fail("nets depend on themselves, such as {}", netlist_.names[static_cast<size_t>(in_loop - waits.begin())]);
  }

  void add_outputs() {
    for (End& end : ends_) {
      end.net_ns = net_delay(end.net, end.cell, end.pin);
      end.ns = arrival_[end.net] < 0 ? -1 : arrival_[end.net] + end.net_ns + end.setup_ns;
    }
    for (uint32_t p = 0; p < netlist_.ports.size(); ++p) {
      if (netlist_.ports[p].is_input) continue;
      for (const auto& net : netlist_.ports[p].nets) {
        if (net && arrival_[*net] >= 0) {
          ends_.push_back({*net, kNone, p, 0, delays_.output_ns, arrival_[*net] + delays_.output_ns});
        }
      }
    }
    std::erase_if(ends_, [](const End& end) { return end.ns < 0; });
  }

  // The register or port where a path ends.
  std::string end_name(const End& end) const {
    if (end.cell == kNone) return netlist_.ports[end.pin].name;
    for (const Netlist::Connection& c : cell(end.cell).connections) {
      if (!c.is_output) continue;
      for (const auto& net : c.nets) {
        if (net) return netlist_.names[*net];
      }
    }
    return netlist_.names[end.net];
  }

  Net start_of(Net net) const {
    while (last_arc_[net] != kNone) net = arcs_[last_arc_[net]].from;
    return net;
  }

  TimingPath path_to(const End& end) const {
    TimingPath path;
    path.ns = end.ns;
    path.steps.push_back({end.net_ns, end.setup_ns, fan_out_[end.net], end.cell == kNone ? "port" : cell(end.cell).type,
                          end.cell == kNone ? "" : connection(end.cell, end.pin).pin, end_name(end), end.ns});
    Net net = end.net;
    for (; last_arc_[net] != kNone; net = arcs_[last_arc_[net]].from) {
      const Arc& arc = arcs_[last_arc_[net]];
      path.steps.push_back({arc.net_ns, arc.cell_ns, fan_out_[arc.from], cell(arc.cell).type,
                            connection(arc.cell, arc.pin).pin, netlist_.names[net], arrival_[net]});
    }
    std::reverse(path.steps.begin(), path.steps.end());
    path.from_cell = drivers_[net].cell == kNone ? "port" : cell(drivers_[net].cell).type;
    path.from = netlist_.names[net];
    path.launched_ns = launched_[net];
    return path;
  }

  Timing report() {
    // Names decide between paths of one length, which the order of the netlist's cells must not.
    std::vector<std::pair<End, std::string>> ends;
    ends.reserve(ends_.size());
    for (const End& end : ends_) ends.emplace_back(end, end_name(end));
    std::sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) {
      return a.first.ns != b.first.ns ? a.first.ns > b.first.ns : a.second < b.second;
    });
    Timing timing;
    if (ends.empty()) return timing;
    timing.worst_ns = ends.front().first.ns;
    timing.ends_by_ns.resize(static_cast<size_t>(timing.worst_ns) + 1);
    for (const auto& [end, name] : ends) ++timing.ends_by_ns[static_cast<size_t>(end.ns)];
    std::map<std::pair<std::string, std::string>, size_t> known;
    for (const auto& [end, name] : ends) {
      if (end.ns < timing.worst_ns / 2) break;
      const auto between = std::pair(module_of(netlist_.names[start_of(end.net)]), module_of(name));
      const auto found = known.find(between);
      if (found != known.end()) {
        ++timing.worst[found->second].ends;
      } else if (timing.worst.size() < options_.paths) {
        known[between] = timing.worst.size();
        timing.worst.push_back(path_to(end));
      }
    }
    return timing;
  }

  const Netlist& netlist_;
  const CellDelays& delays_;
  const TimingOptions& options_;
  std::vector<Driver> drivers_;
  std::vector<uint32_t> fan_out_;
  std::vector<double> arrival_, launched_;  // -1: never, as a constant
  std::vector<uint32_t> last_arc_;          // by which a net is latest; none where it is launched
  std::vector<Arc> arcs_;
  std::vector<End> ends_;
};

}  // namespace

Timing analyze_timing(const Netlist& netlist, const CellDelays& delays, const TimingOptions& options) {
  return Analysis(netlist, delays, options).run();
}

uint64_t Timing::ends() const {
  return std::accumulate(ends_by_ns.begin(), ends_by_ns.end(), uint64_t{0});
}

uint64_t Timing::ends_beyond(uint64_t ns) const {
  const size_t first = std::min<size_t>(ns, ends_by_ns.size());
  return std::accumulate(ends_by_ns.begin() + static_cast<ptrdiff_t>(first), ends_by_ns.end(), uint64_t{0});
}

std::string module_of(std::string_view net) {
  const size_t dot = net.rfind('.');
  return dot == std::string_view::npos ? "" : std::string(net.substr(0, dot));
}

}  // namespace vantage::fpga
