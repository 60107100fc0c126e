"""The modules of gearshift-picture."""
