#!/bin/sh
# The machines of @DOMAIN@ behind their balancer, from your own computer, by your SSH. It needs sh and ssh there, and stores no
# secret.
# sh cluster.sh make FIRST NODE...                the first machine makes the secrets, and the others get them
# sh cluster.sh join NODE | leave NODE [--gone]   --gone: the machine is lost, and is only forgotten here
# sh cluster.sh nodes | doctor
# sh cluster.sh update [--to COMPONENT=TAG] [--now] | apply FILE.zip [--allow-downgrade] [--other-domain] [--now]
# sh cluster.sh rotate api-key | finish
# A machine is HOST or USER@HOST. SSH_OPTIONS are more options of ssh, such as "-i KEY". cluster.env beside this file is the list
# of machines. They are alike: what others get comes from the first of the list, whichever that is.
# update, apply and rotate take one machine after the other, wait for its calls, look whether it is well, and stop where one is
# not. The same command goes on from there.
# Exit: 0 done, 1 stopped, and said where, why and what is next, 64 usage.
set -eu
export LC_ALL=C
# shellcheck source=cluster/ssh.sh
. "./cluster/ssh.sh"
list_nodes() { sed -n "s/^NODE='\\([A-Za-z0-9._@-]*\\)'\$/\\1/p" "$MEMORY" 2>/dev/null || true; }
find_first() {
  FIRST=$(list_nodes | head -n 1)
  [ -n "$FIRST" ] || fail 1 "Which machines are there? cluster.env beside this file is their list: copy it here from where you ran 'make'. Nothing was changed."
}
# save_nodes: takes the list from its input.
save_nodes() {
  sed "s/.*/NODE='&'/" >"$MEMORY.new" && mv "$MEMORY.new" "$MEMORY"
}
# role MACHINE: none, or media PRIVATE PUBLIC NAME.
role() {
  answer=$(run "$1" sudo livekit-deploy cluster role) ||
    fail 1 "$1 does not answer as a machine of this cluster: no SSH, or its first boot has not ended (cloud-init status --wait). Nothing was changed."
  is_line "$answer" "none|media $NODE" || fail 1 "$1 does not say its role in a way that this script knows. Nothing was changed."
  say "$answer"
}
# each_node COMMAND: runs it with each machine, one after the other.
each_node() {
  for node in $(list_nodes); do
    say "== $node"
    "$1" "$node" || { machine=$node && stop "$node" "this did not work there."; }
    well "$node" || { machine=$node && stop "$node" "its doctor finds that something does not work."; }
    finished="${finished:+$finished, }$node"
  done
}
# join MACHINE: brings it the secrets of the first. Where it has joined, it gets what changed.
join() {
  # It is in the list first: one whose join is cut off takes calls, and must not be forgotten.
  list_nodes | grep -qxF -e "$1" || { list_nodes; say "$1"; } | save_nodes
  made=$(run "$FIRST" sudo livekit-deploy cluster secrets | on "$1" sudo livekit-deploy cluster join) || return 1
  is_line "$made" "$NODE" || { say "$1 says something else than its addresses." >&2 && return 1; }
}
# renew MACHINE: LiveKit there takes the secrets that the first has now.
renew() { if [ "$1" = "$FIRST" ]; then run "$1" sudo livekit-deploy restart; else join "$1"; fi; }

command=${1:-}
[ $# = 0 ] || shift
case $command in
make)
  [ $# -ge 2 ] || usage
  FIRST=$(target "$1") || exit 64
  before=$(list_nodes | head -n 1)
  [ "${before:-$FIRST}" = "$FIRST" ] || fail 1 "cluster.env names other machines, $before first. Remove that file for a new cluster. Nothing was changed."
  # Nothing is begun where one of them cannot be what it should.
  for each; do
    each=$(target "$each") || exit 64
    role "$each" >/dev/null || exit 1
  done
  shift
  say "== $FIRST"
  run "$FIRST" sudo livekit-deploy cluster first ||
    { machine=$FIRST && stop "$FIRST" "it did not start. Where the password of Redis is missing: ssh -t $FIRST sudo livekit-deploy set redis-password"; }
  [ -n "$before" ] || say "$FIRST" | save_nodes
  finished=$FIRST
  for each; do
    each=$(target "$each")
    say "== $each"
    join "$each" || { machine=$each && stop "$each" "it did not join."; }
    finished="$finished, $each"
  done
  well "$FIRST" || say "
The machines run. Each wants a certificate: ssh -t MACHINE sudo livekit-deploy set dns-credentials, or certificate FULLCHAIN KEY.
The DNS records of the README lead to the balancer. Then: sh cluster.sh doctor"
  ;;
join)
  [ $# = 1 ] || usage
  find_first
  node=$(target "$1") || exit 64
  role "$node" >/dev/null || exit 1
  join "$node" || { machine=$node && stop "$node" "it did not join."; }
  well "$node" || { machine=$node && stop "$node" "it has joined, and its doctor finds that something does not work."; }
  say "$node takes calls."
  ;;
leave)
  case $#,${2:-} in 1, | 2,--gone) ;; *) usage ;; esac
  find_first
  node=$(target "$1") || exit 64
  list_nodes | grep -qxF -e "$node" || fail 1 "$node is not in the list: sh cluster.sh nodes. Nothing was changed."
  [ "$(list_nodes | wc -l)" -gt 1 ] || fail 1 "It is the last machine. Nothing was changed."
  if [ "${2:-}" != --gone ]; then
    run "$node" sudo livekit-deploy cluster leave || { machine=$node && stop "$node" "it did not leave. If that machine is lost: sh cluster.sh leave $node --gone."; }
  fi
  list_nodes | grep -vxF -e "$node" | save_nodes
  [ "${2:-}" != --gone ] || say "It is forgotten here. If it ever runs again, it has the secrets: then sh cluster.sh rotate api-key, and another password of Redis."
  ;;
nodes) list_nodes ;;
doctor)
  find_first
  worst=0
  for node in $(list_nodes); do
    say "== $node"
    well "$node" || worst=1
  done
  [ "$worst" = 0 ] && say "All machines work." || say "Something does not work."
  exit "$worst"
  ;;
update | apply)
  find_first
  read_options "$@"
  all_listed "$FIRST" "$(list_nodes | wc -l)"
  each_node "$command"
  say "Done on $finished."
  ;;
rotate)
  find_first
  case $#,${1:-} in 1,api-key | 1,finish) ;; *) usage ;; esac
  all_listed "$FIRST" "$(list_nodes | wc -l)"
  run "$FIRST" sudo livekit-deploy rotate "$1" || { machine=$FIRST && stop "$FIRST" "it made nothing new."; }
  each_node renew
  case $1 in
  api-key) say "All machines take both keys. Give your back end the new one: ssh $FIRST sudo livekit-deploy credentials
When no token of the old key is left: sh cluster.sh rotate finish" ;;
  finish) say "All machines take the new key alone." ;;
  esac
  ;;
*) usage ;;
esac
