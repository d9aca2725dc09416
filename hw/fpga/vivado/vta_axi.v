// SPDX-License-Identifier: Apache-2.0
// The core with the port names that Vivado takes for AXI interfaces, in plain Verilog, which is what a block design's
// module reference must be.

module vta_axi #(
  parameter integer BUS_BITS = 64   // of vta_pkg.sv: a beat of the memory port
) (
  (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s_axi:m_axi, ASSOCIATED_RESET aresetn" *)
  input  wire                  aclk,
  input  wire                  aresetn,
  (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 irq INTERRUPT" *)
  (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
  output wire                  irq,

  // Registers
  input  wire [11:0]           s_axi_awaddr,
  input  wire [2:0]            s_axi_awprot,
  input  wire                  s_axi_awvalid,
  output wire                  s_axi_awready,
  input  wire [31:0]           s_axi_wdata,
  input  wire [3:0]            s_axi_wstrb,
  input  wire                  s_axi_wvalid,
  output wire                  s_axi_wready,
  output wire [1:0]            s_axi_bresp,
  output wire                  s_axi_bvalid,
  input  wire                  s_axi_bready,
  input  wire [11:0]           s_axi_araddr,
  input  wire [2:0]            s_axi_arprot,
  input  wire                  s_axi_arvalid,
  output wire                  s_axi_arready,
  output wire [31:0]           s_axi_rdata,
  output wire [1:0]            s_axi_rresp,
  output wire                  s_axi_rvalid,
  input  wire                  s_axi_rready,

  // Memory
  output wire [31:0]           m_axi_awaddr,
  output wire [7:0]            m_axi_awlen,
  output wire [2:0]            m_axi_awsize,
  output wire [1:0]            m_axi_awburst,
  output wire [3:0]            m_axi_awcache,
  output wire [2:0]            m_axi_awprot,
  output wire                  m_axi_awvalid,
  input  wire                  m_axi_awready,
  output wire [BUS_BITS-1:0]   m_axi_wdata,
  output wire [BUS_BITS/8-1:0] m_axi_wstrb,
  output wire                  m_axi_wlast,
  output wire                  m_axi_wvalid,
  input  wire                  m_axi_wready,
  input  wire [1:0]            m_axi_bresp,
  input  wire                  m_axi_bvalid,
  output wire                  m_axi_bready,
  output wire [31:0]           m_axi_araddr,
  output wire [7:0]            m_axi_arlen,
  output wire [2:0]            m_axi_arsize,
  output wire [1:0]            m_axi_arburst,
  output wire [3:0]            m_axi_arcache,
  output wire [2:0]            m_axi_arprot,
  output wire                  m_axi_arvalid,
  input  wire                  m_axi_arready,
  input  wire [BUS_BITS-1:0]   m_axi_rdata,
  input  wire [1:0]            m_axi_rresp,
  input  wire                  m_axi_rlast,
  input  wire                  m_axi_rvalid,
  output wire                  m_axi_rready
);

  // Normal memory, not cached: interconnects may merge and widen beats
  assign m_axi_awcache = 4'b0011;
  assign m_axi_arcache = 4'b0011;
  assign m_axi_awprot  = 3'b000;
  assign m_axi_arprot  = 3'b000;

  vta u_vta (
    .clk_i       (aclk),
    .rst_ni      (aresetn),
    .m_rst_ni    (aresetn),
    .irq_o       (irq),
    .s_aw_valid_i(s_axi_awvalid),
    .s_aw_ready_o(s_axi_awready),
    .s_aw_addr_i (s_axi_awaddr),
    .s_w_valid_i (s_axi_wvalid),
    .s_w_ready_o (s_axi_wready),
    .s_w_data_i  (s_axi_wdata),
    .s_w_strb_i  (s_axi_wstrb),
    .s_b_valid_o (s_axi_bvalid),
    .s_b_ready_i (s_axi_bready),
    .s_b_resp_o  (s_axi_bresp),
    .s_ar_valid_i(s_axi_arvalid),
    .s_ar_ready_o(s_axi_arready),
    .s_ar_addr_i (s_axi_araddr),
    .s_r_valid_o (s_axi_rvalid),
    .s_r_ready_i (s_axi_rready),
    .s_r_data_o  (s_axi_rdata),
    .s_r_resp_o  (s_axi_rresp),
    .m_ar_valid_o(m_axi_arvalid),
    .m_ar_ready_i(m_axi_arready),
    .m_ar_addr_o (m_axi_araddr),
    .m_ar_len_o  (m_axi_arlen),
    .m_ar_size_o (m_axi_arsize),
    .m_ar_burst_o(m_axi_arburst),
    .m_r_valid_i (m_axi_rvalid),
    .m_r_ready_o (m_axi_rready),
    .m_r_data_i  (m_axi_rdata),
    .m_r_resp_i  (m_axi_rresp),
    .m_r_last_i  (m_axi_rlast),
    .m_aw_valid_o(m_axi_awvalid),
    .m_aw_ready_i(m_axi_awready),
    .m_aw_addr_o (m_axi_awaddr),
    .m_aw_len_o  (m_axi_awlen),
    .m_aw_size_o (m_axi_awsize),
    .m_aw_burst_o(m_axi_awburst),
    .m_w_valid_o (m_axi_wvalid),
    .m_w_ready_i (m_axi_wready),
    .m_w_data_o  (m_axi_wdata),
    .m_w_strb_o  (m_axi_wstrb),
    .m_w_last_o  (m_axi_wlast),
    .m_b_valid_i (m_axi_bvalid),
    .m_b_ready_o (m_axi_bready),
    .m_b_resp_i  (m_axi_bresp),
    .trace_o     ()
  );

endmodule
