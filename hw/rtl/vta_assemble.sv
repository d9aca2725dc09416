// SPDX-License-Identifier: Apache-2.0
// Makes whole elements for one scratchpad of what vta_dma_walk writes: gathers the granules of an element that is larger
// than a beat, or splits a beat into lanes of one element each.

module vta_assemble #(
  parameter int ElemW = 128,
  parameter int BeatW = 64,

  localparam int Lanes    = (BeatW > ElemW) ? BeatW / ElemW : 1,
  localparam int Granules = (ElemW > BeatW) ? ElemW / BeatW : 1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  input  logic                          valid_i,
  input  logic                          zero_i,
  input  logic [vta_pkg::GranuleW-1:0]  granule_i,
  // Elements in the beat, when it has several
  input  logic [vta_pkg::ElementsW-1:0] elements_i,
  input  logic [BeatW-1:0]              data_i,

  // Lane l is the element after lane l - 1
  output logic [Lanes-1:0]              wr_lanes_o,
  output logic [Lanes*ElemW-1:0]        wr_data_o
);

  if (Lanes > 1) begin : g_split
    for (genvar l = 0; l < Lanes; l++) begin : g_lane
      assign wr_lanes_o[l] = valid_i && (zero_i ? (l == 0) : (vta_pkg::ElementsW'(l) < elements_i));
    end
    assign wr_data_o = zero_i ? '0 : data_i;
  end else if (Granules > 1) begin : g_gather
    localparam int HeldW = ElemW - BeatW;
    logic [HeldW-1:0] held_q;
    logic             complete;

    assign complete = valid_i && !zero_i && (granule_i == vta_pkg::GranuleW'(Granules - 1));

    // Cleared as an element is completed, so that a zero element finds zeros here
    for (genvar g = 0; g < Granules - 1; g++) begin : g_granule
      always_ff @(posedge clk_i) begin
        if (!rst_ni || complete)                               held_q[g*BeatW +: BeatW] <= '0;
        else if (valid_i && !zero_i && (granule_i == vta_pkg::GranuleW'(g))) held_q[g*BeatW +: BeatW] <= data_i;
      end
    end
    assign wr_lanes_o = complete || (valid_i && zero_i);
    assign wr_data_o  = {zero_i ? '0 : data_i, held_q};
  end else begin : g_direct
    assign wr_lanes_o = valid_i;
    assign wr_data_o  = zero_i ? '0 : data_i;
  end

endmodule
