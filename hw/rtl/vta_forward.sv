// SPDX-License-Identifier: Apache-2.0
// Hides the latency of a read-modify-write pipeline on a scratchpad. A value read in cycle t is used in t + 1 and its
// successor written in t + 2, so the writes of cycles t and t + 1 are not in the data that the scratchpad gives; when one of
// them has the same index, its data replace them.

module vta_forward #(
  parameter int DataW  = 32,
  parameter int IndexW = 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // The write of this cycle
  input  logic              wr_en_i,
  input  logic [IndexW-1:0] wr_index_i,
  input  logic [DataW-1:0]  wr_data_i,

  // What the scratchpad gives in this cycle, and its index
  input  logic [IndexW-1:0] rd_index_i,
  input  logic [DataW-1:0]  rd_data_i,
  output logic [DataW-1:0]  value_o
);

  // The write of the cycle before
  logic              was_en_q;
  logic [IndexW-1:0] was_index_q;
  logic [DataW-1:0]  was_data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) was_en_q <= 1'b0;
    else         was_en_q <= wr_en_i;
  end

  always_ff @(posedge clk_i) begin
    if (wr_en_i) begin
      was_index_q <= wr_index_i;
      was_data_q  <= wr_data_i;
    end
  end

  always_comb begin
    if (wr_en_i && (wr_index_i == rd_index_i))        value_o = wr_data_i;
    else if (was_en_q && (was_index_q == rd_index_i)) value_o = was_data_q;
    else                                              value_o = rd_data_i;
  end

endmodule
