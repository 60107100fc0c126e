#!/usr/bin/python3
"""Computes the response of the lug to the shock by frequency-domain superposition, to check the time integration.

  respond.py TRANSFER SHOCK [RUN]     folder of a run with -frequency_response under a base acceleration of 1; record;
                                      folder of a transient run

The record, linear between its rows, is multiplied by the transfer function of frequency_response.csv, using a discrete
Fourier transform. Prints the largest displacement of the lug and its time and, if RUN is given, the largest difference
between the two. Needs the Python module numpy (Debian: python3-numpy); exit code 77: it is missing.
"""
import pathlib
import sys

try:
    import numpy as np
except ImportError as missing:
    print(f"no response: {missing}", file=sys.stderr)
    sys.exit(77)

transfer = np.genfromtxt(pathlib.Path(sys.argv[1]) / "frequency_response.csv", delimiter=",", names=True)
shock = np.loadtxt(sys.argv[2], delimiter=",", skiprows=1)
first, last = transfer["frequency"][0], transfer["frequency"][-1]
period = (len(transfer) - 1) / (last - first)  # long enough for the motion to die out
count = 2 * round(period * 500e3)
t = np.arange(count) * period / count
record = np.interp(t, shock[:, 0], shock[:, 1], right=0)
spectrum = np.fft.rfft(record)
phasors = transfer["lug_uy"] * np.exp(1j * np.deg2rad(transfer["lug_uy_phase"]))
frequencies = np.arange(len(spectrum)) / period
response = np.interp(frequencies, transfer["frequency"], phasors.real)
response = response + 1j * np.interp(frequencies, transfer["frequency"], phasors.imag)
response[frequencies > last] = 0
response[0] = response[0].real
u = np.fft.irfft(spectrum * response, count)
peak = np.argmax(np.abs(u))
print(f"superposition: largest u_y of the lug {u[peak]:.6e} at {t[peak]:.6e}", end="")
if len(sys.argv) > 3:
    run = np.genfromtxt(pathlib.Path(sys.argv[3]) / "probe_lug.csv", delimiter=",", names=True)
    off = np.abs(run["uy"] - np.interp(run["t"], t, u)).max()
    print(f", run {run['uy'][np.argmax(np.abs(run['uy']))]:.6e}, difference over all times {off:.3e}", end="")
print()
