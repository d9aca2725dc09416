// SPDX-License-Identifier: Apache-2.0
// Where the head of the load or of the store stage's queue is checked and waits to be issued. Three cycles from leaving
// the queue to ready (TransferSlot); a new instruction enters in the cycle in which the last one leaves.

`include "vta_assert.svh"

module vta_transfer_slot (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           flush_i,

  // The stage's command queue: {index, instruction}
  input  logic                           queue_valid_i,
  output logic                           queue_ready_o,
  input  logic [vta_pkg::InsnCountW-1:0] queue_index_i,
  input  logic [vta_pkg::InsnW-1:0]      queue_insn_i,

  input  logic [vta_pkg::AddressW-1:0]   memory_last_i,

  // The instruction, checked
  output logic                           valid_o,
  input  logic                           issue_i,
  output logic                           occupied_o,
  output logic [vta_pkg::InsnCountW-1:0] insn_index_o,
  output logic                           pop_prev_o,
  output logic                           pop_next_o,
  output logic                           push_prev_o,
  output logic                           push_next_o,

  // Results of vta_transfer_check
  output logic                           legal_o,
  output logic                           empty_o,
  output logic [vta_pkg::DmaW-1:0]       dma_o
);

  typedef enum logic [1:0] {Empty, Products, Sums, Ready} state_e;
  state_e state_q, state_d;

  logic                           take, start;
  logic [vta_pkg::InsnW-1:0]      insn_q;
  logic [vta_pkg::InsnCountW-1:0] insn_index_q;

  assign queue_ready_o = (state_q == Empty) || ((state_q == Ready) && issue_i);
  assign take          = queue_valid_i && queue_ready_o;
  assign start         = state_q == Products;

  always_comb begin
    state_d = state_q;
    case (state_q)
      Products: state_d = Sums;
      Sums:     state_d = Ready;
      default: begin
        if (take)         state_d = Products;
        else if (issue_i) state_d = Empty;
      end
    endcase
    if (flush_i) state_d = Empty;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= Empty;
    else         state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      insn_q       <= queue_insn_i;
      insn_index_q <= queue_index_i;
    end
  end

  vta_transfer_check u_check (
    .clk_i,
    .start_i     (start),
    .insn_i      (insn_q),
    .memory_last_i,
    .legal_o,
    .empty_o,
    .dma_o
  );

  assign valid_o      = state_q == Ready;
  assign occupied_o   = state_q != Empty;
  assign insn_index_o = insn_index_q;
  assign pop_prev_o   = vta_pkg::transfer_pop_prev(insn_q);
  assign pop_next_o   = vta_pkg::transfer_pop_next(insn_q);
  assign push_prev_o  = vta_pkg::transfer_push_prev(insn_q);
  assign push_next_o  = vta_pkg::transfer_push_next(insn_q);

  // From leaving the queue a state a cycle, the last of which begins with the verdict
  `VTA_STATIC_ASSERT(ReadyInTime, 32'(Ready) - 32'(Empty) == vta_pkg::TransferSlot)
  `VTA_STATIC_ASSERT(VerdictIsThere, 32'(Ready) - 32'(Products) == vta_pkg::TransferCheck)

endmodule
