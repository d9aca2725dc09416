// SPDX-License-Identifier: Apache-2.0
// The micro-op scratchpad, written by loads and read by three: the GEMM engine, the vector engine, and the check of an
// instruction before it is issued. One copy for each engine, so that neither waits for the other. The check reads the first
// of them over the port that loads write with: it begins when no load of micro-ops is under way, and later ones wait for it.

`include "vta_assert.svh"

module vta_uop_store #(
  localparam int UopW   = vta_pkg::UopW,
  localparam int IndexW = vta_pkg::UopIndexW
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // Writes of vta_dma_walk: never zeros, as micro-op loads have no padding, and never less than a micro-op
  input  logic                          op_valid_i,
  input  logic [IndexW-1:0]             op_index_i,
  input  logic [vta_pkg::ElementsW-1:0] op_elements_i,
  input  logic [vta_pkg::BusW-1:0]      op_data_i,

  // Reads: the data follow in the next cycle and stay until the next read
  input  logic                          check_rd_en_i,   // REQUIRES: nothing is written
  input  logic [IndexW-1:0]             check_rd_index_i,
  output logic [UopW-1:0]               check_rd_data_o,
  input  logic                          gemm_rd_en_i,
  input  logic [IndexW-1:0]             gemm_rd_index_i,
  output logic [UopW-1:0]               gemm_rd_data_o,
  input  logic                          vector_rd_en_i,
  input  logic [IndexW-1:0]             vector_rd_index_i,
  output logic [UopW-1:0]               vector_rd_data_o
);

  localparam int Lanes = vta_pkg::UopLoadLanes;

  logic [Lanes-1:0]      wr_lanes;
  logic [Lanes*UopW-1:0] wr_data;

  vta_assemble #(
    .ElemW(UopW),
    .BeatW(vta_pkg::BusW)
  ) u_assemble (
    .clk_i,
    .rst_ni,
    .valid_i   (op_valid_i),
    .zero_i    (1'b0),
    .granule_i ({vta_pkg::GranuleW{1'b0}}),
    .elements_i(op_elements_i),
    .data_i    (op_data_i),
    .wr_lanes_o(wr_lanes),
    .wr_data_o (wr_data)
  );

  vta_scratchpad #(
    .ElemW     (UopW),
    .IndexW    (IndexW),
    .WriteLanes(Lanes),
    .ReadLanes (1)
  ) u_gemm (
    .clk_i,
    .wr_lanes_i       (wr_lanes),
    .wr_index_i       (op_valid_i ? op_index_i : check_rd_index_i),
    .wr_data_i        (wr_data),
    .wr_port_rd_en_i  (check_rd_en_i),
    .wr_port_rd_data_o(check_rd_data_o),
    .rd_en_i          (gemm_rd_en_i),
    .rd_index_i       (gemm_rd_index_i),
    .rd_data_o        (gemm_rd_data_o)
  );

  vta_scratchpad #(
    .ElemW     (UopW),
    .IndexW    (IndexW),
    .WriteLanes(Lanes),
    .ReadLanes (1)
  ) u_vector (
    .clk_i,
    .wr_lanes_i       (wr_lanes),
    .wr_index_i       (op_index_i),
    .wr_data_i        (wr_data),
    .wr_port_rd_en_i  (1'b0),
    .wr_port_rd_data_o(),
    .rd_en_i          (vector_rd_en_i),
    .rd_index_i       (vector_rd_index_i),
    .rd_data_o        (vector_rd_data_o)
  );

  `VTA_ASSERT(ChecksWhenNothingIsLoaded, !(check_rd_en_i && op_valid_i))

endmodule
