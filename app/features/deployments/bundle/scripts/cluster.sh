#!/bin/sh
# The machines of the cluster of @DOMAIN@, from your own computer, by your SSH. It needs sh and ssh there, and stores no secret.
# sh cluster.sh make [--from SERVER] EDGE NODE... [--egress NODE...]   a new cluster; with what a server of its own had: keys, certificates, Redis
# sh cluster.sh join [--egress] NODE | leave NODE [--gone]   --egress: it records alone; --gone: it is lost, so only the edge forgets it
# sh cluster.sh nodes | doctor
# sh cluster.sh update [--to COMPONENT=TAG] [--now] | apply FILE.zip [--allow-downgrade] [--other-domain] [--now]
# sh cluster.sh rotate api-key | finish | redis
# A machine is HOST or USER@HOST. SSH_OPTIONS are more options of ssh, such as "-i KEY". cluster.env beside this file names the edge.
# update, apply and rotate take one machine after the other, wait for its calls, look whether it is well, and stop where one is
# not. The same command goes on from there.
# Exit: 0 done, 1 stopped, and said where, why and what is next, 64 usage.
set -eu
export LC_ALL=C
# shellcheck source=cluster/ssh.sh
. "./cluster/ssh.sh"
find_edge() {
  [ -n "${EDGE:-}" ] || EDGE=$(sed -n "s/^EDGE='\\([A-Za-z0-9._@-]*\\)'\$/\\1/p" "$MEMORY" 2>/dev/null | head -n 1)
  [ -n "$EDGE" ] || fail 1 "Which machine is the edge? cluster.env beside this file names it: copy that here from where you ran 'make', or write EDGE=USER@HOST before this command."
  EDGE=$(target "$EDGE") || exit 64
}
# role MACHINE: none, edge PRIVATE, or media or egress with PRIVATE PUBLIC NAME.
role() {
  answer=$(run "$1" sudo livekit-deploy cluster role) ||
    fail 1 "${1#by-edge:} does not answer as a machine of this cluster: no SSH, or its first boot has not ended (cloud-init status --wait). Nothing was changed."
  is_line "$answer" "none|edge $ADDRESS|(media|egress) $NODE" || fail 1 "${1#by-edge:} does not say its role in a way that this script knows. Nothing was changed."
  say "$answer"
}
list_nodes() {
  list=$(run "$EDGE" sudo livekit-deploy cluster nodes) || fail 1 "The edge, $EDGE, does not say its list. Nothing was changed."
  [ -n "$list" ] || return 0
  ! say "$list" | grep -Eqvx -e "$NODE" || fail 1 "The edge, $EDGE, says a list that this script does not know. Nothing was changed."
  say "$list"
}
# reach PRIVATE PUBLIC: how ssh comes to a machine of the list: by its public address, as who comes to the edge.
reach() {
  case $EDGE in *@*) user=${EDGE%@*}@ ;; *) user= ;; esac
  if [ "$2" = - ]; then say "by-edge:$user$1"; else say "$user$2"; fi
}
# check_list: whether the edge lists each machine for calls that LiveKit knows. One whose join was cut off may be in calls already.
check_list() {
  list=$(list_nodes) || exit 1
  list=$(say "$list" | awk 'NF == 3')
  [ -n "$list" ] || return 0
  read -r private public name <<LIST
$list
LIST
  all_listed "$(reach "$private" "$public")" "$(say "$list" | wc -l)"
}
# each_node COMMAND...: runs it with each machine but the edge, one after the other.
each_node() {
  list=$(list_nodes) || exit 1
  [ -n "$list" ] || fail 1 "The edge has no machine for calls yet: sh cluster.sh join NODE."
  while read -r private public name role <&3; do
#if RECORDERS
    # A version of one service is for the machines that have it.
    case ${to:-},$role in livekit=*,egress | egress=*,) continue ;; esac
#end
    node=$(reach "$private" "$public")
    say "== $name, $private"
    "$@" "$node" || { machine=$node && stop "$name" "this did not work there."; }
    well "$node" || { machine=$node && stop "$name" "its doctor finds that something does not work."; }
    finished="${finished:+$finished, }$name"
  done 3<<LIST
$list
LIST
}
# at_edge COMMAND...: the same for the edge.
at_edge() {
  say "== edge"
  "$@" "$EDGE" || { machine=$EDGE && stop "the edge" "this did not work there."; }
  well "$EDGE" || { machine=$EDGE && stop "the edge" "its doctor finds that something does not work."; }
  finished="${finished:+$finished and }the edge"
}
# join MACHINE [--egress]: brings it the secrets of the edge, and the edge its addresses. Where it has joined, it gets what changed.
join() {
  edge=$(role "$EDGE") || return 1
  case $edge in edge\ *) ;; *) say "$EDGE is not the edge." >&2 && return 1 ;; esac
  made=$(run "$EDGE" sudo livekit-deploy cluster secrets | on "$1" sudo livekit-deploy cluster join ${2:+"$2"} "${edge#edge }") || return 1
  is_line "$made" "$NODE" || { say "$1 says something else than its addresses." >&2 && return 1; }
  case $1 in by-edge:*) host= ;; *) host=${1#*@} ;; esac
  # shellcheck disable=SC2086 # Words of the form above.
  set -- $made
  # Where no provider tells a machine its public address, it is the one by which ssh came, if that was not through the edge.
  if [ "$2" = - ] && is_line "$host" "$ADDRESS"; then set -- "$1" "$host" "$3" ${4:+"$4"}; fi
  run "$EDGE" sudo livekit-deploy cluster add "$@"
}
# carry SERVER: what a server of its own has, through a pipe to the edge that is to be. Its backups are no way: an encrypted one
# could not be read there, and restoring one would make the edge that server.
carry() {
  on "$1" sudo sh -s <<'THERE' | on "$EDGE" sudo livekit-deploy cluster take
set -eu
cd /opt/livekit
set -- secrets.env
for path in dns.env backup-keys.env data/caddy; do [ ! -e "$path" ] || set -- "$@" "$path"; done
if docker compose ps -a -q redis 2>/dev/null | grep -q .; then
  docker compose exec -T redis sh -c 'REDISCLI_AUTH="$REDIS_PASSWORD" redis-cli save' </dev/null | grep -qx OK || {
    echo "Redis of the server did not save its data." >&2
    exit 1
  }
  [ ! -e data/redis/dump.rdb ] || set -- "$@" data/redis/dump.rdb
fi
tar --numeric-owner -cf - "$@" && echo complete
THERE
}

command=${1:-}
[ $# = 0 ] || shift
case $command in
make)
  from=
  if [ "${1:-}" = --from ]; then
    [ $# -ge 2 ] || usage
    from=$(target "$2") || exit 64
    shift 2
  fi
  [ $# -ge 2 ] || usage
  before=$(sed -n "s/^EDGE='\\(.*\\)'\$/\\1/p" "$MEMORY" 2>/dev/null | head -n 1) || before=
  EDGE=$(target "$1") || exit 64
  [ "${before:-$EDGE}" = "$EDGE" ] || fail 1 "cluster.env names another edge, $before. Remove that file for a new cluster. Nothing was changed."
  shift
  # Nothing is begun where one of them cannot be what it should.
  there=$(role "$EDGE") || exit 1
  case $there in media* | egress*) fail 1 "$EDGE is a machine for calls or recording. Nothing was changed." ;; esac
  as=''
  for each; do
    if [ "$each" = --egress ]; then as=--egress && continue; fi
    each=$(target "$each") || exit 64
    [ "$each" != "$EDGE" ] || fail 64 "$EDGE cannot be both. Nothing was changed."
    may_join "$each"
  done
  if [ -n "$from" ]; then
    say "== $from: keys, certificates and what Redis has"
    carry "$from" || { machine=$from && stop "$from" "nothing came from it to the edge."; }
  fi
  say "== edge, $EDGE"
  run "$EDGE" sudo livekit-deploy cluster edge || { machine=$EDGE && stop "the edge" "it did not start."; }
  say "EDGE='$EDGE'" >"$MEMORY"
  finished="the edge"
  as=''
  for each; do
    if [ "$each" = --egress ]; then as=--egress && continue; fi
    each=$(target "$each")
    say "== $each"
    join "$each" "$as" || { machine=$each && stop "$each" "it did not join."; }
    well "$each" || { machine=$each && stop "$each" "its doctor finds that something does not work."; }
    finished="$finished, $each"
  done
  well "$EDGE" || say "
The machines run. Without the DNS records of the README, which lead to the edge, it has no certificates: once they are set, it
gets them within a minute: sh cluster.sh doctor"
  [ -z "$from" ] || say "
$from runs on with its calls. Next: let the DNS records lead to the edge. The way back, for as long as you leave that server, is to
let them lead there again. What is changed in Redis from now on, such as trunks, is on one side only."
  ;;
join)
  as=''
  if [ "${1:-}" = --egress ]; then as=--egress && shift; fi
  [ $# = 1 ] || usage
  find_edge
  node=$(target "$1") || exit 64
  may_join "$node"
  join "$node" "$as" || { machine=$node && stop "$node" "it did not join."; }
  well "$node" || { machine=$node && stop "$node" "it has joined, and its doctor finds that something does not work."; }
  say "$node has joined."
  ;;
leave)
  find_edge
  case $#,${2:-} in 1, | 2,--gone) ;; *) usage ;; esac
  node=$(target "$1") || exit 64
  list=$(list_nodes) || exit 1
  line=$(say "$list" | awk -v word="${1#*@}" '$1 == word || $2 == word || $3 == word')
  if [ "${2:-}" = --gone ]; then
    is_line "$line" "$NODE" || fail 1 "$1 is not one machine of the list, by its private or public address or its name: sh cluster.sh nodes. Nothing was changed."
    run "$EDGE" sudo livekit-deploy cluster remove "${line%% *}" || fail 1 "The edge did not take it out of its list. Nothing was changed."
    say "It is not in the cluster any more. If it ever runs again, it has the secrets: then sh cluster.sh rotate redis and rotate api-key."
    exit 0
  fi
  # shellcheck disable=SC2086 # Three words.
  ! is_line "$line" "$NODE" || { set -- $line && node=$(reach "$1" "$2"); }
  there=$(role "$node") || fail 1 "If that machine is lost: sh cluster.sh leave NODE --gone."
  case $there in
  edge*) run "$node" sudo livekit-deploy cluster leave && rm -f "$MEMORY" && exit 0 || exit 1 ;;
  none) fail 1 "${node#by-edge:} has no role. If it is still in the list: sh cluster.sh leave NODE --gone." ;;
  esac
  there=${there#* }
  # New connections go elsewhere first. Its rooms go on until its people leave, for as long as a drain may take.
  run "$EDGE" sudo livekit-deploy cluster remove "${there%% *}" || fail 1 "The edge did not take it out of its list. Nothing was changed."
  run "$node" sudo livekit-deploy cluster leave || { machine=$node && stop "$node" "it did not leave. The edge gives it no new connections."; }
  ;;
nodes)
  find_edge
  list_nodes
  ;;
doctor)
  find_edge
  list=$(list_nodes) || exit 1
  worst=0
  while read -r private public name _ <&3; do
    [ -n "$private" ] || continue
    say "== $name, $private"
    well "$(reach "$private" "$public")" || worst=1
  done 3<<LIST
$list
LIST
  say "== edge"
  well "$EDGE" || worst=1
  [ "$worst" = 0 ] && say "All machines work." || say "Something does not work."
  exit "$worst"
  ;;
update | apply)
  find_edge
  read_options "$@"
  check_list
  case $to in caddy=* | redis=*) ;; *) each_node "$command" ;; esac
  case $to in livekit=* | egress=*) ;; *) at_edge "$command" ;; esac
  [ -n "$finished" ] || fail 1 "No machine has joined that runs ${to%%=*}. Nothing was changed."
  say "Done on $finished."
  ;;
rotate)
  find_edge
  case $#,${1:-} in 1,api-key | 1,finish | 1,redis) ;; *) usage ;; esac
  check_list
  run "$EDGE" sudo livekit-deploy rotate "$1" || { machine=$EDGE && stop "the edge" "it made nothing new."; }
  each_node join
  [ "$1" != redis ] || run "$EDGE" sudo livekit-deploy rotate redis-finish || { machine=$EDGE && stop "the edge" "its Redis takes the password of before too."; }
  case $1 in
  api-key) say "All machines take both keys. Give your back end the new one: ssh $EDGE sudo livekit-deploy credentials
When no token of the old key is left: sh cluster.sh rotate finish" ;;
  finish) say "All machines take the new key alone." ;;
  redis) say "All machines have the new password." ;;
  esac
  ;;
*) usage ;;
esac
