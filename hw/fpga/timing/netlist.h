// A design in an FPGA's own cells, as Yosys's write_json gives it of a flattened module.
//
// Thread safety: reading is const.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vantage::fpga {

struct Netlist {
  using Net = uint32_t;

  struct Connection {
    std::string pin;  // "I0", "CO"
    bool is_output = false;
    std::vector<std::optional<Net>> nets;  // by bit; nothing where it is constant
  };
  struct Cell {
    std::string type;
    std::map<std::string, std::string> parameters;  // numbers in digits
    std::vector<Connection> connections;
  };
  struct Port {
    std::string name;
    bool is_input = false;
    std::vector<std::optional<Net>> nets;
  };

  std::vector<Cell> cells;
  std::vector<Port> ports;
  // By net, the best of its names: "core.load.left_q[3]". One that the source gave, before those that Yosys made,
  // which begin with $; of a register, before those of wires that carry it elsewhere; the shortest.
  std::vector<std::string> names;

  // Throws Error, beginning with `source`, on text that is no such netlist, or one with more than one driver for a net.
  static Netlist parse(std::string_view json_text, std::string_view source, std::string_view top);
};

}  // namespace vantage::fpga
