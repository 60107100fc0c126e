"""The functions of preCICE's Python module used by its tutorials, through the C functions of the installed library. For
machines without that module; PRECICE_LIBRARY is the path of libprecice.so."""

import ctypes
import os

import numpy as np

_library = ctypes.CDLL(os.environ.get("PRECICE_LIBRARY", "libprecice.so.3"))
_library.precicec_getMaxTimeStepSize.restype = ctypes.c_double
_numbers = np.ctypeslib.ndpointer(np.float64, flags="C_CONTIGUOUS")
_indices = np.ctypeslib.ndpointer(np.int32, flags="C_CONTIGUOUS")
_text, _int, _double = ctypes.c_char_p, ctypes.c_int, ctypes.c_double
_library.precicec_createParticipant.argtypes = [_text, _text, _int, _int]
_library.precicec_setMeshVertices.argtypes = [_text, _int, _numbers, _indices]
_library.precicec_writeData.argtypes = [_text, _text, _int, _indices, _numbers]
_library.precicec_readData.argtypes = [_text, _text, _int, _indices, _double, _numbers]
_library.precicec_advance.argtypes = [_double]


class Participant:
    def __init__(self, name, configuration, rank, size):
        _library.precicec_createParticipant(name.encode(), configuration.encode(), rank, size)

    def get_mesh_dimensions(self, mesh):
        return _library.precicec_getMeshDimensions(mesh.encode())

    def set_mesh_vertices(self, mesh, positions):
        positions = np.ascontiguousarray(positions, np.float64)
        ids = np.empty(len(positions), np.int32)
        _library.precicec_setMeshVertices(mesh.encode(), len(ids), positions, ids)
        return ids

    def set_mesh_vertex(self, mesh, position):
        return int(self.set_mesh_vertices(mesh, [position])[0])

    def write_data(self, mesh, data, ids, values):
        _library.precicec_writeData(mesh.encode(), data.encode(), len(ids), np.asarray(ids, np.int32),
                                    np.ascontiguousarray(values, np.float64))

    def read_data(self, mesh, data, ids, relative_time):
        components = _library.precicec_getDataDimensions(mesh.encode(), data.encode())
        values = np.empty((len(ids), components) if components > 1 else len(ids))
        _library.precicec_readData(mesh.encode(), data.encode(), len(ids), np.asarray(ids, np.int32), relative_time,
                                   values)
        return values

    def advance(self, dt):
        _library.precicec_advance(dt)

    def initialize(self):
        _library.precicec_initialize()

    def finalize(self):
        _library.precicec_finalize()

    def get_max_time_step_size(self):
        return _library.precicec_getMaxTimeStepSize()

    def is_coupling_ongoing(self):
        return bool(_library.precicec_isCouplingOngoing())

    def requires_initial_data(self):
        return bool(_library.precicec_requiresInitialData())

    def requires_writing_checkpoint(self):
        return bool(_library.precicec_requiresWritingCheckpoint())

    def requires_reading_checkpoint(self):
        return bool(_library.precicec_requiresReadingCheckpoint())
