// The micro-op scratchpad, written by loads and read by three: the check of an instruction before it is issued, the GEMM
// engine and the vector engine. One copy for each of them, so that none waits for another.

module vta_uop_store #(
  localparam int UopW    = vta_pkg::UopW,
  localparam int IndexW  = vta_pkg::UopIndexW,
  localparam int Readers = 3
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // Writes of vta_dma_walk: never zeros, as micro-op loads have no padding, and never less than a micro-op
  input  logic                          op_valid_i,
  input  logic [IndexW-1:0]             op_index_i,
  input  logic [vta_pkg::ElementsW-1:0] op_elements_i,
  input  logic [vta_pkg::BusW-1:0]      op_data_i,

  // Reads: the data follow in the next cycle and stay until the next read
  input  logic [Readers-1:0]            rd_en_i,
  input  logic [Readers*IndexW-1:0]     rd_index_i,
  output logic [Readers*UopW-1:0]       rd_data_o
);

  localparam int Lanes = vta_pkg::UopLoadLanes;

  logic [Lanes-1:0]    wr_lanes;
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

  for (genvar r = 0; r < Readers; r++) begin : g_copy
    vta_scratchpad #(
      .ElemW     (UopW),
      .IndexW    (IndexW),
      .WriteLanes(Lanes),
      .ReadLanes (1)
    ) u_uop (
      .clk_i,
      .wr_lanes_i(wr_lanes),
      .wr_index_i(op_index_i),
      .wr_data_i (wr_data),
      .rd_en_i   (rd_en_i[r]),
      .rd_index_i(rd_index_i[r*IndexW +: IndexW]),
      .rd_data_o (rd_data_o[r*UopW +: UopW])
    );
  end

endmodule
