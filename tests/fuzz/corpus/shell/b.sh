x=$(go test ./... | tail -5); trap 'exit 1' ERR; cat <<EOF | pytest
a
EOF
find . -name x -exec pytest {} \;
