#!/bin/bash
# Runs commands of a build folder on an emulated processor with AVX-512, for machines without it: bochs boots a Debian
# kernel with an initial file system of those commands, their libraries, Open MPI and busybox. Needs no root.
#
#   avx512.sh BUILD COMMAND...        each COMMAND is a line of shell, run in BUILD, e.g.
#   avx512.sh build/ci 'src/bench/gearshift-bench solve -degree 2 -dofs 1000 -solid_simd avx512'
#
# Copies the files that a COMMAND names (as words, or after =) and tests/data of the source folder. Prints the machine's
# output on its serial line, after the seconds since the start; exits with the first exit code that is not 0, or with
# 125 if the machine did not reach the end. The machine has one processor with about 40 million instructions per second,
# needs a minute to start, and its clock counts 15 million instructions as a second. Its x87 logarithms are off by some
# units in the last place, which affects tests that assume exact ones.
#
# Settings: KERNEL, a vmlinuz (otherwise Debian's is downloaded); MEGS, the memory; TIME_LIMIT, in seconds; KEEP, a
# folder for the kernel and the working files (otherwise removed at the end).
set -euo pipefail

[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \?//p' "$0" >&2; exit 125; }
build=$(realpath "$1")
shift

missing=
need() { [ -e "$2" ] || missing="$missing $1"; }  # package, a file of it: collects missing Debian packages
libraries=/usr/lib/x86_64-linux-gnu
need bochs /usr/bin/bochs-bin
need bochs-term $libraries/bochs/plugins/libbx_term_gui.so
need bochsbios /usr/share/bochs/BIOS-bochs-latest
need vgabios /usr/share/vgabios/vgabios.bin
need isolinux /usr/lib/ISOLINUX/isolinux.bin
need syslinux-common /usr/lib/syslinux/modules/bios/ldlinux.c32
need xorriso /usr/bin/xorriso
need cpio /usr/bin/cpio
need busybox-static /bin/busybox
need openmpi-bin /usr/bin/orterun
[ -z "$missing" ] || { echo "missing: apt-get install --no-install-recommends$missing" >&2; exit 125; }

kernel=${KERNEL:+$(realpath "$KERNEL")}
work=${KEEP:-$(mktemp -d)}
mkdir -p "$work"
work=$(realpath "$work")
emulator=
clean() {
  [ -z "$emulator" ] || kill "$emulator" || true
  [ -n "${KEEP:-}" ] || rm -rf "$work"
}
trap clean EXIT
cd "$work"
rm -rf root iso disk.iso

# --- the kernel: Debian's cloud kernel, because it unpacks quickly (the other one takes two minutes)
if [ -z "$kernel" ]; then
  if ! ls boot/vmlinuz-* >/dev/null 2>&1; then
    package=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-[^ ]*\).*/\1/p' | head -n 1)
    apt-get -qq download "$package" >&2
    dpkg --fsys-tarfile "$package"_*.deb | tar -x --wildcards './boot/vmlinuz-*'
  fi
  kernel=$(ls "$work"/boot/vmlinuz-* | tail -n 1)
fi

# --- the files: programs and their libraries, at the same paths as here
root=$work/root
mkdir -p root/{usr/bin,usr/lib,usr/lib64,etc,dev,proc,sys,tmp} "$root$build"
for folder in bin lib lib64; do ln -s usr/$folder root/$folder; done
objects=(/usr/bin/orterun "$libraries"/openmpi/lib/openmpi3/*.so "$libraries"/pmix2/lib/pmix/*.so)
read -ra words <<<"$*"
for word in "${words[@]}"; do
  file=$(cd "$build" && realpath -sq -- "${word#*=}") || continue
  [ ! -f "$file" ] || objects+=("$file")
done
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
{
  printf '%s\n' "${objects[@]}"
  ldd "${objects[@]}" 2>/dev/null | grep -o '/[^ :]*' || true
  find /usr/share/openmpi /etc/openmpi "$source/tests/data" -type f || true
} | xargs -d '\n' realpath -s | sort -u | while read -r file; do
  install -D "$file" "$root$file"
done
install /bin/busybox root/bin
ln -s orterun root/bin/mpiexec
echo 'root:x:0:0:root:/tmp:/bin/sh' >root/etc/passwd
echo '127.0.0.1 localhost' >root/etc/hosts

{
  cat <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
mkdir -p /dev/shm
exec </dev/null >/dev/ttyS0 2>&1
hostname localhost
ip link set lo up
export PATH=/bin TERM=dumb HOME=/tmp TMPDIR=/tmp OMP_NUM_THREADS=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_plm=isolated OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader
export OMPI_MCA_btl_vader_single_copy_mechanism=none
echo processor: $(grep -m1 ^flags /proc/cpuinfo | grep -o 'avx[^ ]*')
first=0
run() {
  echo "run: $1"
  sh -c "$1"
  code=$?
  echo "exit code $code"
  [ $first -ne 0 ] || first=$code
}
INIT
  printf 'cd %q\n' "$build"
  for command; do printf "run '%s'\n" "${command//\'/\'\\\'\'}"; done
  echo 'echo "first exit code: $first"'
  echo 'sleep 1  # until all is written'
  echo 'poweroff -f'
} >root/init
chmod +x root/init

# --- the disk
ips=15000000  # low, because timers and waits are counted in instructions
mkdir iso
cp "$kernel" iso/vmlinuz
(cd root && find . | cpio --quiet -o -H newc -R 0:0) >iso/initrd
cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 iso
# The clock: the CPUID leaves report 3.5 GHz. XSAVEC and XSAVES: bochs 2.7 reports a wrong size for them, for which
# Linux disables all of AVX.
cat >iso/isolinux.cfg <<EOC
default linux
prompt 0
label linux
  kernel vmlinuz
  append initrd=initrd console=ttyS0,115200 loglevel=3 panic=-1 mitigations=off tsc_early_khz=$((ips / 1000)) noxsaves clearcpuid=xsavec,aperfmperf
EOC
xorriso -as mkisofs -quiet -o disk.iso -b isolinux.bin -c boot.cat -no-emul-boot -boot-load-size 4 -boot-info-table iso \
  >xorriso.log 2>&1

# --- the machine
cat >bochsrc <<EOC
cpu: model=corei7_skylake_x, count=1, ips=$ips, reset_on_triple_fault=0
megs: ${MEGS:-1024}
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/vgabios/vgabios.bin
display_library: term
plugin_ctrl: speaker=0
ata0-master: type=cdrom, path=$work/disk.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/serial.log
clock: sync=none
log: $work/bochs.log
panic: action=fatal
error: action=ignore
info: action=ignore
EOC
echo continue >debugger  # Debian's bochs starts in its debugger
: >serial.log
TERM=xterm timeout -k 1 "${TIME_LIMIT:-86400}" bochs-bin -q -f bochsrc -rc debugger </dev/null >screen.log 2>&1 &
emulator=$!
# It draws on its own terminal, and stops if nothing reads from it.
until screen=$(grep -m1 -ao '/dev/pts/[0-9]*' screen.log); do kill -0 $emulator && sleep 0.1 || break; done
[ -z "$screen" ] || { stty -F "$screen" raw -echo && cat "$screen" >/dev/null 2>&1 & }
tail -n +1 -f --pid=$emulator serial.log | while IFS= read -r line; do
  printf '%5d s  %s\n' $SECONDS "${line%$'\r'}"
done
emulator=
code=$(sed -n 's/^first exit code: \([0-9]*\).*/\1/p' serial.log)
[ -n "$code" ] || { echo 'the machine stopped early:' >&2; tail -n 5 screen.log >&2; }
exit "${code:-125}"
