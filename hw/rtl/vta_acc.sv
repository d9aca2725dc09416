// SPDX-License-Identifier: Apache-2.0
// The accumulator scratchpad and, beside it, what the store stage sees of it: every accumulator cut to its low OUT bits,
// kept in a scratchpad of its own so that stores never compete with compute for a port.
//
// Both are split into halves by the top bit of the index. Each half has one read and one write port for the compute stage.
// At most one of GEMM, vector and load uses a half at a time; the compute stage sees to that.

`include "vta_assert.svh"

module vta_acc #(
  localparam int LoadLanes  = vta_pkg::AccLoadLanes,
  localparam int StoreLanes = vta_pkg::OutLanes,
  localparam int AccElemW = 8 << vta_pkg::AccElemLog,
  localparam int OutElemW = 8 << vta_pkg::OutElemLog,
  localparam int IndexW   = vta_pkg::AccIndexW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  // GEMM. Data follow a read by a cycle
  input  logic                           gemm_rd_en_i,
  input  logic [IndexW-1:0]              gemm_rd_index_i,
  output logic [AccElemW-1:0]            gemm_rd_data_o,
  input  logic                           gemm_wr_en_i,
  input  logic [IndexW-1:0]              gemm_wr_index_i,
  input  logic [AccElemW-1:0]            gemm_wr_data_i,

  // Vector
  input  logic                           vector_rd_en_i,
  input  logic [IndexW-1:0]              vector_rd_index_i,
  output logic [AccElemW-1:0]            vector_rd_data_o,
  input  logic                           vector_wr_en_i,
  input  logic [IndexW-1:0]              vector_wr_index_i,
  input  logic [AccElemW-1:0]            vector_wr_data_i,

  // Loads: lane l is element index + l
  input  logic [LoadLanes-1:0]           load_wr_lanes_i,
  input  logic [IndexW-1:0]              load_wr_index_i,
  input  logic [LoadLanes*AccElemW-1:0]  load_wr_data_i,

  // Stores, likewise
  input  logic                           store_rd_en_i,
  input  logic [IndexW-1:0]              store_rd_index_i,
  output logic [StoreLanes*OutElemW-1:0] store_rd_data_o
);

  localparam int Lanes    = vta_pkg::Batch * vta_pkg::BlockOut;
  localparam int AccW     = vta_pkg::AccW;
  localparam int OutW     = vta_pkg::OutW;
  localparam int HalfW    = IndexW - 1;

  logic [2*AccElemW-1:0]             acc_data;
  logic [2*StoreLanes*OutElemW-1:0]  out_data;

  for (genvar h = 0; h < 2; h++) begin : g_half
    logic gemm_rd, vector_rd, gemm_wr, vector_wr, load_wr;
    assign gemm_rd   = gemm_rd_en_i && (gemm_rd_index_i[IndexW-1] == 1'(h));
    assign vector_rd = vector_rd_en_i && (vector_rd_index_i[IndexW-1] == 1'(h));
    assign gemm_wr   = gemm_wr_en_i && (gemm_wr_index_i[IndexW-1] == 1'(h));
    assign vector_wr = vector_wr_en_i && (vector_wr_index_i[IndexW-1] == 1'(h));

    // A load's lanes may begin in one half and end in the other
    logic [LoadLanes-1:0] load_lanes;
    for (genvar l = 0; l < LoadLanes; l++) begin : g_load_lane
      logic [IndexW-1:0] index;
      assign index         = load_wr_index_i + IndexW'(l);
      assign load_lanes[l] = load_wr_lanes_i[l] && (index[IndexW-1] == 1'(h));
    end
    assign load_wr = load_lanes != '0;

    logic [LoadLanes-1:0]          wr_lanes;
    logic [HalfW-1:0]               wr_index;
    logic [LoadLanes*AccElemW-1:0] wr_data;
    logic [LoadLanes*OutElemW-1:0] out_wr_data;

    always_comb begin
      wr_lanes = load_lanes;
      wr_index = HalfW'(load_wr_index_i);
      wr_data  = load_wr_data_i;
      if (vector_wr) begin
        wr_lanes = LoadLanes'(1);
        wr_index = HalfW'(vector_wr_index_i);
        wr_data  = (LoadLanes*AccElemW)'(vector_wr_data_i);
      end
      if (gemm_wr) begin
        wr_lanes = LoadLanes'(1);
        wr_index = HalfW'(gemm_wr_index_i);
        wr_data  = (LoadLanes*AccElemW)'(gemm_wr_data_i);
      end
    end

    for (genvar i = 0; i < LoadLanes * Lanes; i++) begin : g_cut
      assign out_wr_data[i*OutW +: OutW] = wr_data[i*AccW +: OutW];
    end

    vta_scratchpad #(
      .ElemW     (AccElemW),
      .IndexW    (HalfW),
      .WriteLanes(LoadLanes),
      .ReadLanes (1)
    ) u_acc (
      .clk_i,
      .wr_lanes_i       (wr_lanes),
      .wr_index_i       (wr_index),
      .wr_data_i        (wr_data),
      .wr_port_rd_en_i  (1'b0),
      .wr_port_rd_data_o(),
      .rd_en_i          (gemm_rd || vector_rd),
      .rd_index_i       (HalfW'(gemm_rd ? gemm_rd_index_i : vector_rd_index_i)),
      .rd_data_o        (acc_data[h*AccElemW +: AccElemW])
    );

    vta_scratchpad #(
      .ElemW     (OutElemW),
      .IndexW    (HalfW),
      .WriteLanes(LoadLanes),
      .ReadLanes (StoreLanes)
    ) u_out (
      .clk_i,
      .wr_lanes_i       (wr_lanes),
      .wr_index_i       (wr_index),
      .wr_data_i        (out_wr_data),
      .wr_port_rd_en_i  (1'b0),
      .wr_port_rd_data_o(),
      .rd_en_i          (store_rd_en_i),
      .rd_index_i       (HalfW'(store_rd_index_i)),
      .rd_data_o        (out_data[h*StoreLanes*OutElemW +: StoreLanes*OutElemW])
    );

    `VTA_ASSERT(OneReader, !(gemm_rd && vector_rd))
    `VTA_ASSERT(OneWriter, 32'(gemm_wr) + 32'(vector_wr) + 32'(load_wr) <= 1)
  end

  // Which half the data that follow come from
  logic              gemm_half_q, vector_half_q;
  logic [IndexW-1:0] store_index_q;

  always_ff @(posedge clk_i) begin
    if (gemm_rd_en_i)   gemm_half_q   <= gemm_rd_index_i[IndexW-1];
    if (vector_rd_en_i) vector_half_q <= vector_rd_index_i[IndexW-1];
    if (store_rd_en_i)  store_index_q <= store_rd_index_i;
  end

  assign gemm_rd_data_o   = gemm_half_q ? acc_data[AccElemW +: AccElemW] : acc_data[0 +: AccElemW];
  assign vector_rd_data_o = vector_half_q ? acc_data[AccElemW +: AccElemW] : acc_data[0 +: AccElemW];

  for (genvar l = 0; l < StoreLanes; l++) begin : g_store_lane
    logic [IndexW-1:0] index;
    assign index = store_index_q + IndexW'(l);
    assign store_rd_data_o[l*OutElemW +: OutElemW] =
        index[IndexW-1] ? out_data[(StoreLanes + l)*OutElemW +: OutElemW] : out_data[l*OutElemW +: OutElemW];
  end

endmodule
