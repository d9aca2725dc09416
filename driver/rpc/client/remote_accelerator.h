// A device that a server has, as one of this process: rpc://HOST:PORT/DEVICE.
#pragma once

#include "driver/device/kind.h"

namespace vantage::rpc {

// The two schemes: without and with TLS.
driver::AcceleratorKind remote_accelerator();
driver::AcceleratorKind remote_accelerator_over_tls();

}  // namespace vantage::rpc
