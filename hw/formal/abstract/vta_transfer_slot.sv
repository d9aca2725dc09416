// SPDX-License-Identifier: Apache-2.0
// Any transfer at any time, in the place of vta_transfer_slot.

module vta_transfer_slot (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           flush_i,
  input  logic                           queue_valid_i,
  output logic                           queue_ready_o,
  input  logic [vta_pkg::InsnCountW-1:0] queue_index_i,
  input  logic [vta_pkg::InsnW-1:0]      queue_insn_i,
  input  logic [vta_pkg::AddressW-1:0]   memory_last_i,
  output logic                           valid_o,
  input  logic                           issue_i,
  output logic                           occupied_o,
  output logic [vta_pkg::InsnCountW-1:0] insn_index_o,
  output logic                           pop_prev_o,
  output logic                           pop_next_o,
  output logic                           push_prev_o,
  output logic                           push_next_o,
  output logic                           legal_o,
  output logic                           empty_o,
  output logic [vta_pkg::DmaW-1:0]       dma_o
);

  (* anyseq *) logic                           queue_ready, valid, pop_prev, pop_next, push_prev, push_next, legal, empty;
  (* anyseq *) logic                           occupied;
  (* anyseq *) logic [vta_pkg::InsnCountW-1:0] insn_index;
  (* anyseq *) logic [vta_pkg::DmaW-1:0]       dma;

  assign queue_ready_o = queue_ready;
  assign valid_o       = valid;
  assign occupied_o    = occupied;
  assign insn_index_o  = insn_index;
  assign pop_prev_o    = pop_prev;
  assign pop_next_o    = pop_next;
  assign push_prev_o   = push_prev;
  assign push_next_o   = push_next;
  assign legal_o       = legal;
  assign empty_o       = empty;
  assign dma_o         = dma;

endmodule
