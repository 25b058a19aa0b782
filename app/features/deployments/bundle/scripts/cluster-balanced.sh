#!/bin/sh
# The machines of @DOMAIN@ behind their balancer, from your own computer, by your SSH. It needs sh and ssh there, and stores no
# secret.
# sh cluster.sh make FIRST NODE... [--egress NODE...]   the first machine makes the secrets, and the others get them
# sh cluster.sh join [--egress] NODE | leave NODE [--gone]   --egress: it records alone; --gone: it is lost, and only forgotten here
# sh cluster.sh nodes | doctor
# sh cluster.sh update [--to COMPONENT=TAG] [--now] | apply FILE.zip [--allow-downgrade] [--other-domain] [--now]
# sh cluster.sh rotate api-key | finish
# A machine is HOST or USER@HOST. SSH_OPTIONS are more options of ssh, such as "-i KEY". cluster.env beside this file is the list
# of machines. Those for calls are alike: what others get comes from the first of them, whichever that is.
# update, apply and rotate take one machine after the other, wait for its calls, look whether it is well, and stop where one is
# not. The same command goes on from there.
# Exit: 0 done, 1 stopped, and said where, why and what is next, 64 usage.
set -eu
export LC_ALL=C
# shellcheck source=cluster/ssh.sh
. "./cluster/ssh.sh"
# listed NODE | EGRESS: the machines for calls, or those that record alone.
listed() { sed -n "s/^$1='\\([A-Za-z0-9._@-]*\\)'\$/\\1/p" "$MEMORY" 2>/dev/null || true; }
list_nodes() { listed NODE; listed EGRESS; }
find_first() {
  FIRST=$(listed NODE | head -n 1)
  [ -n "$FIRST" ] || fail 1 "Which machines are there? cluster.env beside this file is their list: copy it here from where you ran 'make'. Nothing was changed."
}
# save_list: takes the lines of cluster.env from its input.
save_list() { cat >"$MEMORY.new" && mv "$MEMORY.new" "$MEMORY"; }
# role MACHINE: none, or media or egress with PRIVATE PUBLIC NAME.
role() {
  answer=$(run "$1" sudo livekit-deploy cluster role) ||
    fail 1 "$1 does not answer as a machine of this cluster: no SSH, or its first boot has not ended (cloud-init status --wait). Nothing was changed."
  is_line "$answer" "none|(media|egress) $NODE" || fail 1 "$1 does not say its role in a way that this script knows. Nothing was changed."
  say "$answer"
}
# each_node COMMAND: runs it with each machine, one after the other.
each_node() {
  list=$(list_nodes)
#if RECORDERS
  # A version of one service is for the machines that have it.
  case ${to:-} in livekit=* | caddy=*) list=$(listed NODE) ;; egress=*) list=$(listed EGRESS) ;; esac
#end
  for node in $list; do
    say "== $node"
    "$1" "$node" || { machine=$node && stop "$node" "this did not work there."; }
    well "$node" || { machine=$node && stop "$node" "its doctor finds that something does not work."; }
    finished="${finished:+$finished, }$node"
  done
}
# join MACHINE [--egress]: brings it the secrets of the first. Where it has joined, it gets what changed.
join() {
  # It is in the list first: one whose join is cut off takes calls, and must not be forgotten.
  case ${2:-},$there in --egress,* | ,egress*) kind=EGRESS ;; *) kind=NODE ;; esac
  list_nodes | grep -qxF -e "$1" || { cat "$MEMORY"; say "$kind='$1'"; } | save_list
  made=$(run "$FIRST" sudo livekit-deploy cluster secrets | on "$1" sudo livekit-deploy cluster join ${2:+"$2"}) || return 1
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
  before=$(listed NODE | head -n 1)
  [ "${before:-$FIRST}" = "$FIRST" ] || fail 1 "cluster.env names other machines, $before first. Remove that file for a new cluster. Nothing was changed."
  # Nothing is begun where one of them cannot be what it should.
  as=''
  for each; do
    if [ "$each" = --egress ]; then as=--egress && continue; fi
    each=$(target "$each") || exit 64
    may_join "$each"
  done
  shift
  say "== $FIRST"
  run "$FIRST" sudo livekit-deploy cluster first ||
    { machine=$FIRST && stop "$FIRST" "it did not start. Where the password of Redis is missing: ssh -t $FIRST sudo livekit-deploy set redis-password"; }
  [ -n "$before" ] || say "NODE='$FIRST'" | save_list
  finished=$FIRST
  as=''
  for each; do
    if [ "$each" = --egress ]; then as=--egress && continue; fi
    each=$(target "$each")
    say "== $each"
    may_join "$each"
    join "$each" "$as" || { machine=$each && stop "$each" "it did not join."; }
    finished="$finished, $each"
  done
  well "$FIRST" || say "
The machines run. Each wants a certificate: ssh -t MACHINE sudo livekit-deploy set dns-credentials, or certificate FULLCHAIN KEY.
The DNS records of the README lead to the balancer. Then: sh cluster.sh doctor"
  ;;
join)
  as=''
  if [ "${1:-}" = --egress ]; then as=--egress && shift; fi
  [ $# = 1 ] || usage
  find_first
  node=$(target "$1") || exit 64
  may_join "$node"
  join "$node" "$as" || { machine=$node && stop "$node" "it did not join."; }
  well "$node" || { machine=$node && stop "$node" "it has joined, and its doctor finds that something does not work."; }
  say "$node has joined."
  ;;
leave)
  case $#,${2:-} in 1, | 2,--gone) ;; *) usage ;; esac
  find_first
  node=$(target "$1") || exit 64
  list_nodes | grep -qxF -e "$node" || fail 1 "$node is not in the list: sh cluster.sh nodes. Nothing was changed."
  [ "$(listed NODE)" != "$node" ] || fail 1 "It is the last machine for calls. Nothing was changed."
  if [ "${2:-}" != --gone ]; then
    run "$node" sudo livekit-deploy cluster leave || { machine=$node && stop "$node" "it did not leave. If that machine is lost: sh cluster.sh leave $node --gone."; }
  fi
  { listed NODE | grep -vxF -e "$node" | sed "s/.*/NODE='&'/"; listed EGRESS | grep -vxF -e "$node" | sed "s/.*/EGRESS='&'/"; } | save_list
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
  all_listed "$FIRST" "$(listed NODE | wc -l)"
  each_node "$command"
  [ -n "$finished" ] || fail 1 "No machine has joined that runs ${to%%=*}. Nothing was changed."
  say "Done on $finished."
  ;;
rotate)
  find_first
  case $#,${1:-} in 1,api-key | 1,finish) ;; *) usage ;; esac
  all_listed "$FIRST" "$(listed NODE | wc -l)"
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
