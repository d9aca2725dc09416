// SPDX-License-Identifier: Apache-2.0
// A scratchpad of elements. Up to WriteLanes neighbouring elements are written and ReadLanes read per cycle, at any
// index: element i lies in bank i mod Banks, so neighbours never share a bank. Indices wrap.

module vta_scratchpad #(
  parameter int ElemW      = 32,
  parameter int IndexW     = 2,
  parameter int WriteLanes = 1,   // powers of two; two rows of them at least
  parameter int ReadLanes  = 1,

  localparam int Banks   = (WriteLanes > ReadLanes) ? WriteLanes : ReadLanes,
  localparam int BankW   = $clog2(Banks),
  localparam int RowW    = IndexW - BankW,
  localparam int Rows    = 1 << RowW
) (
  input  logic                        clk_i,

  // Lane l is element index + l
  input  logic [WriteLanes-1:0]       wr_lanes_i,
  input  logic [IndexW-1:0]           wr_index_i,
  input  logic [WriteLanes*ElemW-1:0] wr_data_i,
  // Reads the element at wr_index_i. REQUIRES: nothing is written
  input  logic                        wr_port_rd_en_i,
  output logic [ElemW-1:0]            wr_port_rd_data_o,

  // The data follow in the next cycle and stay until the next read
  input  logic                        rd_en_i,
  input  logic [IndexW-1:0]           rd_index_i,
  output logic [ReadLanes*ElemW-1:0]  rd_data_o
);

  if (Banks == 1) begin : g_single
    vta_ram #(
      .Width(ElemW),
      .Depth(Rows)
    ) u_ram (
      .clk_i,
      .wr_en_i  (wr_lanes_i),
      .wr_addr_i(wr_index_i),
      .wr_data_i,
      .wr_port_rd_en_i,
      .wr_port_rd_data_o,
      .rd_en_i,
      .rd_addr_i(rd_index_i),
      .rd_data_o
    );
  end else begin : g_banked
    logic [Banks*ElemW-1:0] bank_data, wr_port_data;
    logic [BankW-1:0]       rd_bank_q, wr_port_bank_q;

    for (genvar b = 0; b < Banks; b++) begin : g_bank
      // The lane of this bank, and the element that it is
      logic [BankW-1:0]  wr_lane, rd_lane;
      logic [IndexW-1:0]  wr_element, rd_element;
      logic              wr_en;
      logic [ElemW-1:0]  wr_data;

      assign wr_lane    = BankW'(b) - BankW'(wr_index_i);
      assign wr_element = wr_index_i + IndexW'(wr_lane);
      if (WriteLanes == 1) begin : g_one_write_lane
        assign wr_en   = wr_lanes_i[0] && (wr_lane == '0);
        assign wr_data = wr_data_i;
      end else begin : g_write_lanes
        assign wr_en   = (32'(wr_lane) < WriteLanes) && wr_lanes_i[wr_lane[$clog2(WriteLanes)-1:0]];
        assign wr_data = wr_data_i[wr_lane[$clog2(WriteLanes)-1:0]*ElemW +: ElemW];
      end

      assign rd_lane    = BankW'(b) - BankW'(rd_index_i);
      assign rd_element = rd_index_i + IndexW'(rd_lane);

      vta_ram #(
        .Width(ElemW),
        .Depth(Rows)
      ) u_ram (
        .clk_i,
        .wr_en_i  (wr_en),
        .wr_addr_i(RowW'(wr_element >> BankW)),
        .wr_data_i(wr_data),
        .wr_port_rd_en_i,
        .wr_port_rd_data_o(wr_port_data[b*ElemW +: ElemW]),
        .rd_en_i,
        .rd_addr_i(RowW'(rd_element >> BankW)),
        .rd_data_o(bank_data[b*ElemW +: ElemW])
      );
    end

    always_ff @(posedge clk_i) begin
      if (rd_en_i)         rd_bank_q      <= BankW'(rd_index_i);
      if (wr_port_rd_en_i) wr_port_bank_q <= BankW'(wr_index_i);
    end

    assign wr_port_rd_data_o = wr_port_data[wr_port_bank_q*ElemW +: ElemW];

    for (genvar l = 0; l < ReadLanes; l++) begin : g_read_lane
      logic [BankW-1:0] bank;
      assign bank = rd_bank_q + BankW'(l);
      assign rd_data_o[l*ElemW +: ElemW] = bank_data[bank*ElemW +: ElemW];
    end
  end

endmodule
