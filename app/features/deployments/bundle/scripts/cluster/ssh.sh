# shellcheck shell=sh
# The part of cluster.sh, with and without an edge, that reaches machines by SSH.
# shellcheck disable=SC2034,SC2154 # It shares its variables with cluster.sh.
ACCOUNT='@USER@'
MEMORY=$(cd "$(dirname "$0")" && pwd)/cluster.env
say() { printf '%s\n' "$*"; }
fail() {
  code=$1
  shift
  say "$*" >&2
  exit "$code"
}
usage() { fail 64 "$(sed -n 's/^# \(sh cluster.sh .*\)/\1/p' "$0")"; }
# target MACHINE: as ssh takes it. What stands there becomes a part of its command.
target() {
  case $1 in
  '' | -* | @* | *[!A-Za-z0-9._@-]*) fail 64 "$1: a machine is written as HOST or USER@HOST. Nothing was changed." ;;
  *@*) say "$1" ;;
  *) say "${ACCOUNT:+$ACCOUNT@}$1" ;;
  esac
}
OPTIONS="${SSH_OPTIONS:+$SSH_OPTIONS }-o ConnectTimeout=10 -o ServerAliveInterval=30 -o PasswordAuthentication=no -o StrictHostKeyChecking=accept-new"
# through OPTIONS: how ssh comes to a machine by the edge. With -J it would use none of the options on the way.
through() { say "ProxyCommand=ssh ${1:+$(say "$1" | sed 's/%/%%/g') }-W %h:%p $EDGE"; }
# on MACHINE COMMAND...: runs it there, with the input of this. "by-edge:" leads through the edge.
on() {
  machine=$1
  shift
  # shellcheck disable=SC2086 # Options are words.
  set -- $OPTIONS "${machine#by-edge:}" "$@"
  case $machine in by-edge:*) set -- -o "$(through "$OPTIONS")" "$@" ;; esac
  ssh "$@"
}
# run MACHINE COMMAND...: the same without an input.
run() { on "$@" </dev/null; }
ADDRESS='[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}'
NODE="$ADDRESS ($ADDRESS|-) [a-z0-9][a-z0-9-]{0,62}( egress)?"
# What machines say becomes a part of commands too: it is one line of its form, or nothing.
is_line() { case $1 in *"
"*) return 1 ;; esac; say "$1" | grep -Eqx -e "$2"; }
# may_join MACHINE: ends this where it is something else than it would become: for calls, or with --egress for recording. One that
# records alone already stays that.
as='' there=''
may_join() {
  there=$(role "$1") || exit 1
  case $as,$there in
  *,edge*) fail 1 "$1 is the edge of a cluster. Nothing was changed." ;;
  --egress,media*) fail 1 "$1 is a machine for calls. Nothing was changed." ;;
  esac
}
# all_listed MACHINE NUMBER: stops where LiveKit there has heard of more machines lately than the list has. Without an answer
# it goes on.
all_listed() {
  known=$(run "$1" sudo livekit-deploy cluster count 2>/dev/null) || return 0
  is_line "$known" '[0-9]{1,4}' && [ "$known" -gt "$2" ] || return 0
  fail 1 "LiveKit has heard of $known machines in the last half minute, and the list has $2: sh cluster.sh nodes. For one that is missing there: sh cluster.sh join NODE. One that has just gone is not counted half a minute later. Nothing was changed."
}
# well MACHINE: whether its doctor finds nothing critical. It says what there is.
well() {
  status=0
  report=$(run "$1" sudo livekit-deploy doctor --quiet) || status=$?
  [ -z "$report" ] || say "$report"
  [ "$status" -le 1 ]
}
# login: what a person types to come to $machine.
login() {
  case $machine in by-edge:*) set -- -o "'$(through "${SSH_OPTIONS:-}")'" ;; esac
  say "ssh ${SSH_OPTIONS:+$SSH_OPTIONS }$*${*:+ }${machine#by-edge:}"
}
# stop NAME WHY: what was done, and the next step.
finished=
stop() {
  set -- "${1#by-edge:}" "$2"
  say "
Stopped at $1: $2
Done before it: ${finished:-nothing}. The machines after it are as they were, and the cluster goes on with those that are well.
Next: mend $1 ($(login) sudo livekit-deploy doctor says how), then run the same command again: it goes on there." >&2
  exit 1
}
# read_options OPTIONS: those of update and apply.
read_options() {
  to='' now='' with='' file=''
  while [ $# -gt 0 ]; do
    case $command,$1 in
    update,--to)
      to=${2:-}
      is_line "$to" '(livekit|egress|caddy|redis)=[A-Za-z0-9._-]+' || usage
      shift
      ;;
    *,--now) now=--now ;;
    apply,--allow-downgrade | apply,--other-domain) with="$with $1" ;;
    apply,[!-]*) file=$1 ;;
    *) usage ;;
    esac
    shift
  done
  if [ "$command" = apply ]; then
    [ -n "$file" ] || usage
    [ -r "$file" ] || fail 64 "$file cannot be read. Nothing was changed."
  fi
}
update() { run "$1" sudo livekit-deploy update ${to:+--to "$to"} $now; }
apply() {
  on "$1" "sudo sh -c 'umask 077; cat >/opt/livekit/state/cluster.zip'" <"$file" || return 1
  status=0
  # shellcheck disable=SC2086 # Options are words.
  run "$1" sudo livekit-deploy apply /opt/livekit/state/cluster.zip $with $now || status=$?
  run "$1" sudo rm -f /opt/livekit/state/cluster.zip || true
  return "$status"
}
