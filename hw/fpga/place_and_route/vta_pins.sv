// SPDX-License-Identifier: Apache-2.0
// A core on five pins, to be placed and routed by itself. It has several hundred ports, more than parts have pins, and
// what is beside it in a design are registers and not pads. So every input comes from a shift register, and every output
// goes into one, and all paths of the core are those between registers of the part.

module vta_pins (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic shift_i,    // the core's inputs, one after the other
  input  logic capture_i,  // the core's outputs are taken; otherwise they leave, one after the other
  output logic shift_o
);

  typedef struct packed {
    logic                            s_aw_valid;
    logic [vta_pkg::RegAddressW-1:0] s_aw_addr;
    logic                            s_w_valid;
    logic [31:0]                     s_w_data;
    logic [3:0]                      s_w_strb;
    logic                            s_b_ready;
    logic                            s_ar_valid;
    logic [vta_pkg::RegAddressW-1:0] s_ar_addr;
    logic                            s_r_ready;
    logic                            m_ar_ready;
    logic                            m_r_valid;
    logic [vta_pkg::BusW-1:0]        m_r_data;
    logic [1:0]                      m_r_resp;
    logic                            m_r_last;
    logic                            m_aw_ready;
    logic                            m_w_ready;
    logic                            m_b_valid;
    logic [1:0]                      m_b_resp;
  } inputs_t;

  typedef struct packed {
    logic                            irq;
    logic                            s_aw_ready;
    logic                            s_w_ready;
    logic                            s_b_valid;
    logic [1:0]                      s_b_resp;
    logic                            s_ar_ready;
    logic                            s_r_valid;
    logic [31:0]                     s_r_data;
    logic [1:0]                      s_r_resp;
    logic                            m_ar_valid;
    logic [vta_pkg::AddressW-1:0]    m_ar_addr;
    logic [7:0]                      m_ar_len;
    logic                            m_r_ready;
    logic                            m_aw_valid;
    logic [vta_pkg::AddressW-1:0]    m_aw_addr;
    logic [7:0]                      m_aw_len;
    logic                            m_w_valid;
    logic [vta_pkg::BusW-1:0]        m_w_data;
    logic [vta_pkg::BusW/8-1:0]      m_w_strb;
    logic                            m_w_last;
    logic                            m_b_ready;
  } outputs_t;

  // The reset comes from a register, too, as it does in a design.
  logic     rst_nq;
  inputs_t  in_q;
  outputs_t out, out_q;

  always_ff @(posedge clk_i) begin
    rst_nq <= rst_ni;
    in_q   <= {in_q[$bits(in_q)-2:0], shift_i};
    out_q  <= capture_i ? out : {out_q[$bits(out_q)-2:0], 1'b0};
  end
  assign shift_o = out_q[$bits(out_q)-1];

  vta u_vta (
    .clk_i,
    .rst_ni      (rst_nq),
    .m_rst_ni    (rst_nq),
    .irq_o       (out.irq),
    .s_aw_valid_i(in_q.s_aw_valid),
    .s_aw_ready_o(out.s_aw_ready),
    .s_aw_addr_i (in_q.s_aw_addr),
    .s_w_valid_i (in_q.s_w_valid),
    .s_w_ready_o (out.s_w_ready),
    .s_w_data_i  (in_q.s_w_data),
    .s_w_strb_i  (in_q.s_w_strb),
    .s_b_valid_o (out.s_b_valid),
    .s_b_ready_i (in_q.s_b_ready),
    .s_b_resp_o  (out.s_b_resp),
    .s_ar_valid_i(in_q.s_ar_valid),
    .s_ar_ready_o(out.s_ar_ready),
    .s_ar_addr_i (in_q.s_ar_addr),
    .s_r_valid_o (out.s_r_valid),
    .s_r_ready_i (in_q.s_r_ready),
    .s_r_data_o  (out.s_r_data),
    .s_r_resp_o  (out.s_r_resp),
    .m_ar_valid_o(out.m_ar_valid),
    .m_ar_ready_i(in_q.m_ar_ready),
    .m_ar_addr_o (out.m_ar_addr),
    .m_ar_len_o  (out.m_ar_len),
    .m_ar_size_o (),
    .m_ar_burst_o(),
    .m_r_valid_i (in_q.m_r_valid),
    .m_r_ready_o (out.m_r_ready),
    .m_r_data_i  (in_q.m_r_data),
    .m_r_resp_i  (in_q.m_r_resp),
    .m_r_last_i  (in_q.m_r_last),
    .m_aw_valid_o(out.m_aw_valid),
    .m_aw_ready_i(in_q.m_aw_ready),
    .m_aw_addr_o (out.m_aw_addr),
    .m_aw_len_o  (out.m_aw_len),
    .m_aw_size_o (),
    .m_aw_burst_o(),
    .m_w_valid_o (out.m_w_valid),
    .m_w_ready_i (in_q.m_w_ready),
    .m_w_data_o  (out.m_w_data),
    .m_w_strb_o  (out.m_w_strb),
    .m_w_last_o  (out.m_w_last),
    .m_b_valid_i (in_q.m_b_valid),
    .m_b_ready_o (out.m_b_ready),
    .m_b_resp_i  (in_q.m_b_resp),
    .trace_o     ()
  );

endmodule
