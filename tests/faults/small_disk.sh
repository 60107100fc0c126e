#!/usr/bin/env bash
# bash small_disk.sh <MiB> -- command...: runs the command with GEARSHIFT_SMALL_DISK set to the path of an empty disk of
# this size; 77 (skipped) if this user may not mount one.
set -euo pipefail
size=$1
shift 2
if [[ ${INSIDE:-} != yes ]]; then
  unshare --mount true 2>/dev/null || unshare --mount --map-root-user true 2>/dev/null || { echo "skipped: no mounts"; exit 77; }
  root=()
  unshare --mount true 2>/dev/null || root=(--map-root-user)
  INSIDE=yes exec unshare --mount "${root[@]}" bash "$0" "$size" -- "$@"
fi
disk=$(mktemp -d)
mount -t tmpfs -o "size=${size}m" tmpfs "$disk" || { rmdir "$disk"; echo "skipped: no mounts"; exit 77; }
code=0
GEARSHIFT_SMALL_DISK=$disk "$@" || code=$?
umount "$disk"
rmdir "$disk"
exit "$code"
