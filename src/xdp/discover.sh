# discover.sh PROFILE COMPILER: writes the flags to compile and to link with
# libxdp and libbpf, or none if they are not there. Programs load the two when
# they need them; those of the profile `static` have them inside, with the
# libraries that they use.
set -eu
compile=-DWEIR_LIBXDP trial='-lxdp -lbpf' link=-ldl
if [ "$1" = static ]; then
  compile="$compile -DWEIR_LIBXDP_STATIC"
  link="$trial -lelf -lz -lzstd"
  trial="-static $link"
fi
cat >discover_trial.c <<'C'
#include <bpf/bpf.h>
#include <xdp/xsk.h>
int main(void) { return xsk_umem__fd(0) + bpf_link_create(0, 0, BPF_XDP, 0) + XDP_TX_METADATA; }
C
# shellcheck disable=SC2086
"$2" -o discover_trial discover_trial.c $trial 2>/dev/null || compile='' link=''
rm -f discover_trial discover_trial.c
echo "($compile)" >compile_flags.sexp
echo "($link)" >link_flags.sexp
