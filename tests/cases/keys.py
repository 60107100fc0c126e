#!/usr/bin/env python3
"""Checks that the random cases draw every option of gearshift-solid -help, or that it is listed here with a reason.

usage: keys.py <gearshift-solid>
"""
import random
import re
import subprocess
import sys

from draw import Draw

# Options set by the commands or relations of the cases.
GIVEN = ("dm_plex_filename output overwrite output_format gear_checkpoint gear_checkpoint_every gear_restart gear_max_steps "
         "gear_newton_test solid_simd precice precice_faces precice_read precice_read_kind precice_write precice_write_kind "
         "precice_samples")
# Not drawn yet.
NOT_DRAWN = {
    "meshes come from files": "dm_plex_box_faces dm_plex_box_lower dm_plex_box_upper dm_plex_simplex dm_refine",
    "do not change results": "dry_run dry_run_ranks strict on_write_error gear_checkpoint_wall gear_checkpoint_failure gear_max_wall "
                             "gear_watchdog gear_monitor gear_view gear_energy log_view gear_half_step_residual",
    "the stand-in for preCICE knows no other names": "precice_participant precice_mesh",
}


def main():
    text = subprocess.run([sys.argv[1], "-help"], capture_output=True, text=True, check=True).stdout
    keys = {found[1] for found in (re.match(r"  -([a-zA-Z]\S*)", line) for line in text.splitlines()) if found}
    keys = {key for key in keys if not key.endswith("*")}
    drawn = set()
    for seed in range(2000):
        drawn |= set(Draw(random.Random(seed), seed).draw().keys)
    listed = set(GIVEN.split()) | {key for group in NOT_DRAWN.values() for key in group.split()}

    def is_drawn(key):
        pattern = re.compile(re.sub(r"<[a-z]+>", "[a-zA-Z0-9_]+", key))
        return any(pattern.fullmatch(name) for name in drawn)

    missing = sorted(key for key in keys if key not in listed and not is_drawn(key))
    for key in missing:
        print(f"error: -{key}: let draw.py draw it, or give the reason here")
    for key in sorted(listed - keys):
        print(f"error: -{key}: no key of -help")
        missing.append(key)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
