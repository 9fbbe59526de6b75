# commit.sh ROOT: an OCaml module that tells the commit of the sources, "" where
# they are no git checkout. ROOT is _build/CONTEXT; a folder of another project
# that holds these sources is not asked.
set -u
GIT_OPTIONAL_LOCKS=0
export GIT_OPTIONAL_LOCKS
commit=
top=$(cd "$1/../.." && pwd -P)
if [ "$(git -C "$top" rev-parse --show-toplevel 2>/dev/null)" = "$top" ] && [ -e "$top/bin/arguments/commit.sh" ]; then
  commit=$(git -C "$top" describe --always --exclude '*' --abbrev=12 --dirty=", changed since" 2>/dev/null)
fi
printf 'let name = "%s"\n' "$commit"
