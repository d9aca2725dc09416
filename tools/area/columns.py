#!/usr/bin/env python3
"""Counts what a column of the tile takes, or two that share multipliers, for every kind of them that has a table entry.

    tools/area/columns.py --table tools/area/columns-xc7.csv [--tool build/release/cli/vantage] [--family xc7]

Synthesis maps these modules alone (hw/fpga/synthesis.cpp) and a core has dozens of the same, so the estimate need not
guess what they take. Two minutes.
"""
import argparse
import os
import re
import subprocess
import tempfile

LOG_WIDTHS = range(2, 5)
LOG_ACC_WIDTHS = range(4, 6)
LOG_DEPTHS = range(0, 6)
LUTS = ["LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6", "INV", "SRL16E", "SRLC32E"]
FLIP_FLOPS = ["FDRE", "FDSE", "FDCE", "FDPE"]
DSPS = ["DSP48E1", "DSP48E2"]

# The commands of hw/fpga/synthesis.cpp, without what makes one module of all.
SCRIPT = """
read_verilog -sv vta_pkg.sv vta_gemm_pair.sv vta_gemm_column.sv kinds.sv
synth_xilinx -family {family} -top kinds -noiopad -run begin:prepare
delete =A:blackbox =A:whitebox %u =BUFG %d =CARRY* %d =DSP48E* %d =FD?E %d =GND %d =VCC %d =INV %d =LUT? %d =MUXF? %d =SRL* %d
synth_xilinx -family {family} -top kinds -noiopad -run prepare:map_luts
opt_expr -mux_undef -noclkinv
abc -luts 2:2,3,6:5,10,20 -script "+strash;&get,-n;&fraig,-x;&put;scorr;dc2;dretime;strash;dch,-f;if,-D,5;mfs2"
clean
techmap -map +/xilinx/ff_map.v
xilinx_srl -fixed -minlen 3
techmap -map +/xilinx/lut_map.v -map +/xilinx/cells_map.v -D LUT_WIDTH=6
xilinx_dffopt
opt_lut_ins -tech xilinx
setattr -mod -set keep_hierarchy 1 kind_*
flatten
clean
tee -q -o kinds.txt stat
"""


def kinds():
    for inp in LOG_WIDTHS:
        for wgt in LOG_WIDTHS:
            for acc in LOG_ACC_WIDTHS:
                for depth in LOG_DEPTHS:
                    # Two columns share multipliers as vta_gemm_core says, unless the tile has one.
                    for columns in [1, 2] if 2 * (2**inp + 2**wgt) <= 32 else [1]:
                        yield {"columns": columns, "LOG_INP_WIDTH": inp, "LOG_WGT_WIDTH": wgt, "LOG_ACC_WIDTH": acc,
                               "LOG_BLOCK_IN": depth}


def name_of(kind):
    return "kind_" + "_".join(str(value) for value in kind.values())


def module_of(kind):
    inp, wgt, acc = 2**kind["LOG_INP_WIDTH"], 2**kind["LOG_WGT_WIDTH"], 2**kind["LOG_ACC_WIDTH"]
    depth, columns = 2**kind["LOG_BLOCK_IN"], kind["columns"]
    module = "vta_gemm_pair" if columns == 2 else "vta_gemm_column"
    return (f"module {name_of(kind)}(input clk_i, operands_valid_i, products_valid_i, parts_valid_i,\n"
            f"  input [{depth * inp - 1}:0] inp_i, input [{columns * depth * wgt - 1}:0] wgt_i,\n"
            f"  output [{columns * acc - 1}:0] sum_o);\n"
            f"  {module} #(.BlockIn({depth}), .InpW({inp}), .WgtW({wgt}), .AccW({acc})) u (.*);\nendmodule\n")


def counts(text):
    """By module, how many cells of each type."""
    found, module = {}, None
    for line in text.splitlines():
        title = re.search(r"=== (\S+) ===", line)
        if title:
            module = title[1]
            found[module] = {}
        cell = re.match(r"\s+(\w+)\s+(\d+)$", line)
        if cell and module:
            found[module][cell[1]] = int(cell[2])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", required=True)
    parser.add_argument("--tool", default="build/release/cli/vantage")
    parser.add_argument("--family", default="xc7")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as parent:
        folder = os.path.join(parent, "rtl")
        subprocess.run([a.tool, "rtl", "export", folder], check=True, capture_output=True)
        with open(os.path.join(folder, "kinds.sv"), "w") as file:
            for kind in kinds():
                file.write(module_of(kind))
            instances = "".join(f"  (* keep *) {name_of(k)} u_{name_of(k)}(.clk_i(clk_i));\n" for k in kinds())
            file.write(f"module kinds(input clk_i);\n{instances}endmodule\n")
        with open(os.path.join(folder, "kinds.ys"), "w") as file:
            file.write(SCRIPT.format(family=a.family))
        subprocess.run(["yosys", "-q", "kinds.ys"], cwd=folder, check=True)
        with open(os.path.join(folder, "kinds.txt")) as file:
            found = counts(file.read())
    with open(a.table, "w") as file:
        file.write(",".join(list(next(kinds())) + ["luts", "flip_flops", "dsps"]) + "\n")
        for kind in kinds():
            cells = found[name_of(kind)]
            sums = [sum(cells.get(cell, 0) for cell in group) for group in (LUTS, FLIP_FLOPS, DSPS)]
            file.write(",".join(str(value) for value in list(kind.values()) + sums) + "\n")


if __name__ == "__main__":
    main()
