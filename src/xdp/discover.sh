# discover.sh PROFILE COMPILER: writes the flags to compile and to link with
# libxdp and libbpf, or none if they are not there. The profile `static` also
# needs the libraries that those two use.
set -eu
libraries='-lxdp -lbpf'
[ "$1" != static ] || libraries="-static $libraries -lelf -lz -lzstd"
cat >discover_trial.c <<'C'
#include <bpf/bpf.h>
#include <xdp/xsk.h>
int main(void) { return xsk_umem__fd(0) + bpf_link_create(0, 0, BPF_XDP, 0) + XDP_TX_METADATA; }
C
# shellcheck disable=SC2086
if "$2" -o discover_trial discover_trial.c $libraries 2>/dev/null; then
  compile=-DWEIR_LIBXDP
else
  compile='' libraries=''
fi
rm -f discover_trial discover_trial.c
echo "($compile)" >compile_flags.sexp
echo "(${libraries#-static })" >link_flags.sexp
