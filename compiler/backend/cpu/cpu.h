// All that compiles functions for processors (docs/cpu.md): into this process, into libraries, into objects; with
// functions of the user's that they call.
#pragma once

#include "compiler/backend/cpu/interpretable.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/backend/cpu/library.h"
#include "compiler/backend/cpu/object.h"
#include "compiler/backend/cpu/target.h"
#include "native/externals.h"
#include "native/library.h"
#include "native/workers.h"
