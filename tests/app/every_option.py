"""Gives wrong values to every option listed by gearshift-solid -help, and checks the response.

every_option.py PROGRAM REGIONS.msh FOLDER [WORD]: only options that contain the word, if given. REGIONS.msh has a
region 'soft'. A refusal is exit code 1 and one line "error: ..." that names the option without PETSc's jargon. A crash,
a time-out and any other message are faults, for which this program ends with exit code 1. Runs that are accepted, and
runs that fail later because of an excessive load or modulus, are printed for a reader to judge.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

BOX = ("-dm_plex_box_faces 2,1,1 -E 1e6 -nu 0.3 -rho 1000 -clamp xmin -gravity 0,0,-1 -gear_dt 0.01 -gear_t_end 0.02 "
       "-vtk_every 0 -probe_p 1,0.5,0.5 -table_f {table}")
TEXTS = ["", "abc", "1e", "nan", "inf", "-inf", "-1", "0", "0.5", "1e300", "99999999999999", "1,2", "1,2,3,4", "1,,3", ","]
# Other options that an option needs in order to be read.
WITH = {
    "-frequency_response": "-modes 2", "-frequency_response_damping": "-modes 2 -frequency_response 1,2,3", "-modes_shift": "-modes 2",
    "-frame_centre": "-frame_spin 0,0,1", "-load_steps": "-static", "-load_cutbacks": "-static", "-load_until": "-static",
    "-gear_checkpoint_every": "-gear_checkpoint {folder}/c.h5", "-gear_checkpoint_wall": "-gear_checkpoint {folder}/c.h5",
    "-precice_participant": "-precice c.xml", "-dm_plex_simplex": "-degree 1",
}
NAMES = {"<face>": "xmax", "<probe>": "p", "<name>": "p", "<region>": "soft", "<modulus>": "E"}
SKIPPED = {"-options_file", "-log_view"}
ENDLESS = {("-gear_t_end", "99999999999999")}  # the run takes as long as requested
RUN_FAILED = r"error: (the step from t = |a linear solve of the modes produced)"


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))


def keys_of(program):
    text = subprocess.run([program, "-help"], capture_output=True, text=True, check=True).stdout
    keys = []
    for line in text.splitlines():
        found = re.match(r"  (-[a-zA-Z]\S*)(?: (\S+))?", line)
        if not found or "*" in found[1] or found[1] in SKIPPED:
            continue
        key = found[1].replace("-table_<name>", "-table_f")
        for name, value in NAMES.items():
            key = key.replace(name, value)
        keys.append((key, found[2] or ""))
    return keys


def fault(code, key, errors):
    """Describes what is wrong with a refusal; returns nothing if it is correct."""
    lines = [line for line in errors.splitlines() if re.match(r"error[ :]", line)]
    if code == "time":
        return "does not end"
    if code not in (0, 1, 2):
        return f"exit code {code}"
    if code == 0 or re.search(RUN_FAILED, errors) or (code == 2 and not lines):
        return ""
    if "built without" in errors:
        return ""
    if re.search(r"PETSC ERROR|PETSc error|Petsc|\[0\]", errors):
        return "PETSc's language"
    if len(lines) != 1:
        return f"{len(lines)} messages"
    if key not in lines[0] and key.lstrip("-").split("_")[-1] not in lines[0]:
        return "names another key"
    return ""


def main():
    program, regions, folder = sys.argv[1:4]
    word = sys.argv[4] if len(sys.argv) > 4 else ""
    os.makedirs(folder, exist_ok=True)
    table = os.path.join(folder, "f.csv")
    with open(table, "w") as file:
        file.write("t,f\n0,0\n1,1\n")
    keys = [k for k in keys_of(program) if word in k[0]]

    def attempt(number, key, kind, text):
        own = os.path.join(folder, str(number))
        os.makedirs(own, exist_ok=True)
        box = BOX.format(table=table) + " " + WITH.get(key, "").format(folder=own)
        if "soft" in key:
            box = box.replace("-dm_plex_box_faces 2,1,1", "-dm_plex_filename " + regions).replace("xmin", "left")
        command = [program, *box.split(), "-output", os.path.join(own, "run"), "-overwrite", key, text]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=own, preexec_fn=limit,
                                  env={**os.environ, "OMPI_MCA_orte_tmpdir_base": own})
            code, errors, output = done.returncode, done.stderr, done.stdout
        except subprocess.TimeoutExpired:
            code, errors, output = "time", "", ""
        shutil.rmtree(own)
        wrong = fault(code, key, errors)
        told = errors.strip().replace("\n", " | ")[:400] or "".join(output.strip().splitlines()[-1:])
        print(f"{'FAULT ' + wrong if wrong else 'accepted' if code == 0 else 'refused'}: {key} '{text}' ({kind}): {told}", flush=True)
        return bool(wrong)

    with ThreadPoolExecutor(4) as pool:
        tried = [pool.submit(attempt, 100 * i + j, *key, text)
                 for i, key in enumerate(keys) for j, text in enumerate(TEXTS) if (key[0], text) not in ENDLESS]
        faults = sum(one.result() for one in tried)
    tried = len(tried)
    print(f"{len(keys)} keys, {tried} values, {faults} faults")
    return faults > 0 or (not word and len(keys) < 100)  # otherwise -help was not parsed correctly


sys.exit(main())
