#!/usr/bin/env bash
# Runs kubectl's own scripts against a server that is there already. The working directory is a tree that upstream-tree.ts made.
# Upstream's setup and its order of functions stay; what is replaced is how the servers are started, what is built, and how a
# function is run: in a process group of its own, for so long and no longer.
#
#   SECURE_API_PORT  the server, on 127.0.0.1, which knows the tokens of hack/testdata/auth-tokens.csv
#   RESULTS          a file that gets a line for each function that ran: name, status, seconds
#   LOGS             a folder for what each function printed
#   FUNCTIONS        the names of those to run, with blanks between
#   LIMIT            the seconds that a function may take

set -o errexit -o nounset -o pipefail

mktemp() { command mktemp "${@/#\/tmp\//${TMPDIR}/}"; } # leaves nothing behind

source hack/lib/init.sh
source hack/lib/test.sh
source test/cmd/legacy-script.sh

make() { :; } # everything is built
kube::etcd::start() { :; }
kube::etcd::cleanup() { :; }

record_command() {
  local name=$1 status=0 began=$EPOCHREALTIME
  [[ " ${FUNCTIONS} " == *" ${name} "* ]] || return 0
  set -o monitor # each job leads a process group
  (
    set +o errexit +o nounset +o monitor
    "$@"
  ) > "${LOGS}/${name}.log" 2>&1 < /dev/null &
  local job=$!
  (
    sleep "${LIMIT}"
    echo "took longer than ${LIMIT} s" >> "${LOGS}/${name}.log"
    kill -KILL -- "-${job}"
  ) &
  local guard=$!
  set +o monitor
  wait "${job}" || status=$?
  end_group "${guard}"
  end_group "${job}"
  printf '%s\t%s\t%s\n' "${name}" "${status}" "$(awk "BEGIN { print ${EPOCHREALTIME} - ${began} }")" >> "${RESULTS}"
}

end_group() {
  kill -KILL -- "-$1" 2> /dev/null || true
  wait "$1" 2> /dev/null || true
}

setup
eval "$(sed -n '/^function create_node/,/^__EOF__/p' hack/make-rules/test-cmd.sh; echo '}')"
create_node
export SUPPORTED_RESOURCES=("*")
runTests
