# Makes a bitstream of the core for a Zynq-7000 board:
#
#   vivado -mode batch -source vivado.tcl
#
# The folder is one that `vantage rtl export DIR --config F --board B` wrote; what depends on the configuration and the
# board is in settings.tcl. The result is NAME.bit with NAME.hwh beside it, which is what PYNQ loads as an overlay.
#
# NOT RUN by the project's tests: no Vivado is at hand there. They check that the script is Tcl, that it uses nothing but
# what settings.tcl sets, and that the wrapper fits the core.

set here [file dirname [file normalize [info script]]]
source [file join $here settings.tcl]

# Project ---------------------------------------------------------------------------------------------------------------

create_project vta [file join $here project] -part $part -force

# With the vendor's board files the processing system gets the board's DDR and pins. Without them it keeps Vivado's
# defaults, which does not matter to an overlay: Linux has set up the processing system before it loads one.
set boards [get_board_parts -quiet "$board_part:*"]
set has_board [expr {$board_part ne "" && [llength $boards] > 0}]
if {$has_board} {
  set_property board_part [lindex $boards end] [current_project]
} else {
  puts "note: no board files of $board_name; the processing system keeps Vivado's defaults"
}

add_files -norecurse [glob -directory $here *.sv] [file join $here vta_axi.v]
add_files -norecurse [file join $here vta_assert.svh]
set_property file_type {Verilog Header} [get_files vta_assert.svh]
set_property include_dirs [list $here] [current_fileset]
set_property verilog_define {SYNTHESIS=1} [current_fileset]
update_compile_order -fileset sources_1

# Block design ----------------------------------------------------------------------------------------------------------

create_bd_design system

create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7 ps
set preset [expr {$has_board ? 1 : 0}]
apply_bd_automation -rule xilinx.com:bd_rule:processing_system7 \
  -config [list make_external {FIXED_IO, DDR} apply_board_preset $preset Master Disable Slave Disable] \
  [get_bd_cells ps]
set_property -dict [list \
  CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ $clock_mhz \
  CONFIG.PCW_USE_M_AXI_GP0 1 \
  CONFIG.PCW_USE_S_AXI_$memory_port 1 \
  CONFIG.PCW_S_AXI_${memory_port}_DATA_WIDTH 64 \
  CONFIG.PCW_USE_FABRIC_INTERRUPT 1 \
  CONFIG.PCW_IRQ_F2P_INTR 1] [get_bd_cells ps]

create_bd_cell -type module -reference vta_axi vta
set_property CONFIG.BUS_BITS $bus_bits [get_bd_cells vta]

# The processor speaks AXI3: an interconnect on each side converts the protocol, and the width where it differs.
create_bd_cell -type ip -vlnv xilinx.com:ip:axi_interconnect to_registers
create_bd_cell -type ip -vlnv xilinx.com:ip:axi_interconnect to_memory
foreach interconnect {to_registers to_memory} {
  set_property -dict [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 1] [get_bd_cells $interconnect]
}
create_bd_cell -type ip -vlnv xilinx.com:ip:proc_sys_reset reset

connect_bd_intf_net [get_bd_intf_pins ps/M_AXI_GP0] [get_bd_intf_pins to_registers/S00_AXI]
connect_bd_intf_net [get_bd_intf_pins to_registers/M00_AXI] [get_bd_intf_pins vta/s_axi]
connect_bd_intf_net [get_bd_intf_pins vta/m_axi] [get_bd_intf_pins to_memory/S00_AXI]
connect_bd_intf_net [get_bd_intf_pins to_memory/M00_AXI] [get_bd_intf_pins ps/S_AXI_$memory_port]
connect_bd_net [get_bd_pins vta/irq] [get_bd_pins ps/IRQ_F2P]

# One clock for everything
set clocked {ps/M_AXI_GP0_ACLK vta/aclk reset/slowest_sync_clk}
lappend clocked ps/S_AXI_${memory_port}_ACLK
set resets {vta/aresetn}
foreach interconnect {to_registers to_memory} {
  foreach port {ACLK S00_ACLK M00_ACLK} { lappend clocked $interconnect/$port }
  foreach port {ARESETN S00_ARESETN M00_ARESETN} { lappend resets $interconnect/$port }
}
foreach pin $clocked { connect_bd_net [get_bd_pins ps/FCLK_CLK0] [get_bd_pins $pin] }
connect_bd_net [get_bd_pins ps/FCLK_RESET0_N] [get_bd_pins reset/ext_reset_in]
foreach pin $resets { connect_bd_net [get_bd_pins reset/peripheral_aresetn] [get_bd_pins $pin] }

# The address map: registers where the board's description puts them, all of DDR for the core
assign_bd_address -offset $registers -range 4K -target_address_space [get_bd_addr_spaces ps/Data] \
  [get_bd_addr_segs vta/s_axi/reg0]
assign_bd_address

validate_bd_design
save_bd_design
add_files -norecurse [make_wrapper -files [get_files system.bd] -top]
set_property top system_wrapper [current_fileset]
update_compile_order -fileset sources_1

# Bitstream -------------------------------------------------------------------------------------------------------------

launch_runs impl_1 -to_step write_bitstream -jobs 4
wait_on_run impl_1
if {[get_property PROGRESS [get_runs impl_1]] ne "100%"} {
  error "implementation failed: [get_property STATUS [get_runs impl_1]]"
}
set slack [get_property STATS.WNS [get_runs impl_1]]
puts "slack at $clock_mhz MHz: $slack ns"
if {$slack < 0} { error "the core misses $clock_mhz MHz by [expr {-$slack}] ns; lower CLOCK_MHZ in its configuration" }

set run_folder [get_property DIRECTORY [get_runs impl_1]]
file copy -force [file join $run_folder system_wrapper.bit] [file join $here $name.bit]
set handoff [file join $here project vta.gen sources_1 bd system hw_handoff system.hwh]
file copy -force $handoff [file join $here $name.hwh]
puts "$name.bit and $name.hwh; its CONFIG_HASH register reads $config_hash"
