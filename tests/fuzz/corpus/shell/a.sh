set -euo pipefail
if ! pytest -q tests 2>&1 | tee out.txt; then exit ${PIPESTATUS[0]}; fi
for d in a b; do (cd $d && npm test) || rc=$?; done
