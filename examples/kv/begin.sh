#!/bin/sh
# Makes a repository of this example: the old build on the main branch of a remote beside
# it, the new one as a patch.   sh examples/kv/begin.sh FOLDER && cd FOLDER
set -eu
example=$(cd "$(dirname "$0")" && pwd)
: "${1:?which folder is to be made?}"
mkdir -p "$(dirname "$1")"
mkdir "$1" # is refused where there is one
cd "$1"
cp -R "$example/oracle" "$example/tests" "$example/proctor.toml" "$example/old/kv" .
sed 's|/ "old" / "kv"|/ "kv"|' "$example/tests/test_kv.py" > tests/test_kv.py
printf '%s\n' __pycache__/ .pytest_cache/ artifacts/ evidence/ > .gitignore
git init -q
git checkout -q -b main
git add -A
git commit -q -m "The old build"
git clone -q --bare . ../kv-remote.git
git remote add origin ../kv-remote.git
git fetch -q origin
git checkout -q -b work --track origin/main
cp "$example/new/kv" .
git commit -q -am "The new build"
