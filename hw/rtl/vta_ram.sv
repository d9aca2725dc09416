// SPDX-License-Identifier: Apache-2.0
// Block RAM with two ports, both synchronous: one that writes or, in a cycle without a write, may read; one that reads. A read
// of the address that is written in the same cycle gives the old data. Contents start as zero, as an FPGA's do.

module vta_ram #(
  parameter int Width = 8,
  parameter int Depth = 2,

  localparam int AddrW = $clog2(Depth)
) (
  input  logic             clk_i,

  input  logic             wr_en_i,
  input  logic [AddrW-1:0] wr_addr_i,
  input  logic [Width-1:0] wr_data_i,
  // A read of wr_addr_i, if nothing is written
  input  logic             wr_port_rd_en_i,
  output logic [Width-1:0] wr_port_rd_data_o,

  // The data of reads follow in the next cycle and stay until the next read
  input  logic             rd_en_i,
  input  logic [AddrW-1:0] rd_addr_i,
  output logic [Width-1:0] rd_data_o
);

  logic [Width-1:0] mem [Depth];

  // Memories of FPGAs are zero once it is configured. Told so word by word, synthesis would take a minute more.
`ifndef SYNTHESIS
  initial begin
    for (int i = 0; i < Depth; i++) mem[i] = '0;
  end
`endif

  always_ff @(posedge clk_i) begin
    if (wr_en_i)              mem[wr_addr_i]    <= wr_data_i;
    else if (wr_port_rd_en_i) wr_port_rd_data_o <= mem[wr_addr_i];
    if (rd_en_i) rd_data_o <= mem[rd_addr_i];
  end

endmodule
