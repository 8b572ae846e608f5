#!/usr/bin/env bash
# The gates of a rulebook, for any CI. Ends with the exit code of the first gate that does not pass, after all have run.
#   GATE_RULEBOOK  the folder of the rulebook (rulebook)
#   GATE_MODEL     an access model (NDJSON), for lint and tests (none)
#   GATE_FAIL_ON   the new violations that do not pass (new:HIGH); with ACCESS_ADMIN_URL alone
#   GATE_FOLDER    where gate.md, for a comment, and SARIF files are written (gate)
#   GATE_COMMAND   the command (the program beside this script)
set -uo pipefail
rulebook=${GATE_RULEBOOK:-rulebook}
folder=${GATE_FOLDER:-gate}
program=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/dist/main.cjs
if [ -n "${GATE_COMMAND:-}" ]; then read -ra access_admin <<< "$GATE_COMMAND"
elif [ -f "$program" ]; then access_admin=(node "$program")
else echo "$program is not built: npm run setup in the checkout builds it"; exit 2
fi
model=()
[ -n "${GATE_MODEL:-}" ] && model=(--model "$GATE_MODEL")
worst=0
mkdir -p "$folder"
: > "$folder/gate.md"

# Runs a gate and adds its report to the comment.
gate() {
  local code=0
  "${access_admin[@]}" "$@" --format markdown >> "$folder/gate.md" || code=$?
  echo >> "$folder/gate.md"
  echo "$1: exit code $code"
  [ "$worst" -ne 0 ] || worst=$code
}

"${access_admin[@]}" fmt "$rulebook" --check || { echo 'fmt: run access-admin fmt'; worst=1; }
"${access_admin[@]}" lint "$rulebook" ${model[@]+"${model[@]}"} --format sarif > "$folder/lint.sarif"
"${access_admin[@]}" test "$rulebook" ${model[@]+"${model[@]}"} --format sarif > "$folder/test.sarif"
gate lint "$rulebook" ${model[@]+"${model[@]}"} --fail-on warning
gate test "$rulebook" ${model[@]+"${model[@]}"} --coverage
if [ -n "${ACCESS_ADMIN_URL:-}" ]; then gate diff "$rulebook" --fail-on "${GATE_FAIL_ON:-new:HIGH}"; fi
exit "$worst"
