#pragma once

/// @file
/// All headers of the core library; each header also compiles by itself.

#include <gearshift/bdf/controller.hpp>
#include <gearshift/bdf/formula.hpp>
#include <gearshift/bdf/sdirk.hpp>
#include <gearshift/bdf/stability.hpp>
#include <gearshift/bdf/weights.hpp>
#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/assembled_system.hpp>
#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/dynamics/energy_ledger.hpp>
#include <gearshift/dynamics/event.hpp>
#include <gearshift/dynamics/linearization.hpp>
#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/snapshot.hpp>
#include <gearshift/dynamics/state.hpp>
#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/dynamics/system.hpp>
#include <gearshift/export.hpp>
#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/options.hpp>
#include <gearshift/petsc/session.hpp>
#include <gearshift/petsc/views.hpp>
#include <gearshift/version.h>
