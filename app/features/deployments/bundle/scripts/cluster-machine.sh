#!/bin/sh
# What a machine of a cluster does about its role. cluster.sh, on a person's computer, runs it by SSH.
# livekit-deploy cluster [role]                     this machine's role, for programs: none, edge ADDRESS, or media or egress with
#                                                   PRIVATE PUBLIC NAME
# livekit-deploy cluster edge [PRIVATE-ADDRESS]     this machine is the edge
# livekit-deploy cluster first                      behind a balancer: this machine makes the secrets for all
# livekit-deploy cluster secrets                    on the edge: what another machine needs, into a pipe
# livekit-deploy cluster join [--egress] [EDGE-ADDRESS]   reads these, and prints PRIVATE PUBLIC NAME of this machine, and egress
#                                                   where it records alone
# livekit-deploy cluster add PRIVATE PUBLIC NAME [egress] | remove PRIVATE | nodes     on the edge
# livekit-deploy cluster count                      how many machines LiveKit has heard of in the last half minute
# livekit-deploy cluster leave                      ends the calls here in the cluster's order, and forgets role and secrets
# livekit-deploy cluster take                       before it is the edge: reads what a server of its own had
# Exit: 0 done or done before, 1 not, 64 usage, 75 busy.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
USAGE="Usage: livekit-deploy cluster [role] | edge [ADDRESS] | first | secrets | join [--egress] [EDGE-ADDRESS] | add PRIVATE PUBLIC NAME [egress] | remove PRIVATE | nodes | count | leave | take"
refuse() { fail 1 "$* Nothing was changed."; }
NODES=state/edge/nodes
# There while Redis takes the old password and the new one: a line of its configuration, which it reads at every start.
ROTATION=data/redis/rotation.conf

# in_network ADDRESS [NETWORK]: whether it is an IPv4 address, and one of the network.
in_network() {
  case $1 in '' | *[!0-9.]*) return 1 ;; esac
  awk -v address="$1" -v network="${2:-$NETWORK}" '
    function number(text, part, n, i, sum) {
      if (split(text, part, ".") != 4) return -1
      for (i = 1; i <= 4; i++) {
        if (part[i] !~ /^(0|[1-9][0-9]?[0-9]?)$/ || part[i] + 0 > 255) return -1
        sum = sum * 256 + part[i]
      }
      return sum
    }
    BEGIN {
      split(network, half, "/")
      size = 2 ^ (32 - half[2])
      given = number(address)
      exit !(given >= 0 && int(given / size) == int(number(half[1]) / size))
    }'
}
# The names and public addresses come from other machines, and end in lists and in what people read.
is_name() { case $1 in '' | -* | *[!a-z0-9-]*) return 1 ;; esac; [ ${#1} -le 63 ]; }
is_public() { [ "$1" = - ] || in_network "$1" 0.0.0.0/0; }
# private_addresses: those of this machine in the network of the cluster. Docker has networks of its own.
private_addresses() {
  ip -4 -o addr show scope global | awk '$2 !~ /^(docker|br-|veth)/ { sub("/.*", "", $4); print $4 }' | sort -u |
    while read -r each; do ! in_network "$each" || say "$each"; done
}
# private_address: the one of them, or the reason why not.
private_address() {
  found=$(private_addresses)
  case $found in
  '') refuse "This machine has no address in $NETWORK, the private network of the options." ;;
  *[!0-9.]*) refuse "This machine has several addresses in $NETWORK: $(say "$found" | paste -sd ' ' -). Name one: cluster edge ADDRESS; a media machine needs to have one." ;;
  esac
  say "$found"
}
need_first_boot() { [ -e state/first-boot-done ] || refuse "The first boot has not finished: cloud-init status --wait, or sudo /opt/livekit/bin/first-boot.sh."; }
need_balancer() { [ "$TOPOLOGY" = balanced ] || refuse "The machines of this cluster are behind an edge: cluster edge."; }
need_edge() { [ "$ROLE" = edge ] || refuse "This machine is not the edge of a cluster."; }
# write_role ROLE EDGE-ADDRESS PRIVATE-ADDRESS
write_role() {
  printf "COMPOSE_PROFILES='%s'\nEDGE_ADDRESS='%s'\nPRIVATE_ADDRESS='%s'\n" "$@" | put .env 0644 || refuse "Nothing can be written to $HERE. Is the disk full?"
  use_role
}
# start_role: what the role needs runs. After a failure the same command goes on here.
start_role() {
  "$BIN/first-boot.sh" --folders
  "$BIN/first-boot.sh" --secrets
  systemctl reload-or-restart livekit-firewall.service || fail 1 "The firewall could not be loaded, so nothing was started. Run this again."
  [ "$ROLE" != edge ] || render
  docker compose pull -q --policy missing || fail 1 "The images could not be fetched. Run this again."
  systemctl enable livekit.service
  if ! systemctl is-active -q livekit.service; then
    systemctl restart livekit.service || fail 1 "It did not start: sudo livekit-deploy doctor tells why. Then run this again."
  elif [ -e state/secrets-changed ]; then
    "$ROOT/usr/bin/livekit-deploy" restart || fail 1 "LiveKit was not restarted with the new secrets. Run this again."
  fi
  rm -f state/secrets-changed
  [ "$ROLE,$TOPOLOGY" != media,cluster ] || systemctl enable --now livekit-cluster.service
  # Without a role it asked for no certificate.
  [ ! -e "$ROOT/etc/systemd/system/livekit-certificate.service" ] || systemctl start --no-block livekit-certificate.service
}
# this_machine: PRIVATE PUBLIC NAME, as the edge has it in its list. LiveKit asks STUN where nobody tells the public address.
this_machine() {
  public=$(sed -n 's/^NODE_IP=\([0-9.]*\)$/\1/p' state/address.env 2>/dev/null | head -n 1)
  name=$(uname -n | tr 'A-Z.' 'a-z-' | tr -cd 'a-z0-9-' | sed 's/^-*//; s/-*$//' | cut -c 1-63)
  say "$PRIVATE_ADDRESS ${public:--} ${name:-node}"
}

# render: what Caddy reads, of caddy.yaml and the list of nodes. An upstream there with the address node:PORT stands for one
# of each node for calls. Without any it is one that nobody listens on, since Caddy does not take an empty list.
render() {
  mkdir -p state/edge
  chmod 0755 state/edge
  [ -e "$NODES" ] || put "$NODES" 0644 </dev/null
  awk -v nodes="$(awk 'NF == 3 { print $1 }' "$NODES" | paste -sd ' ' -)" '
    BEGIN { count = split(nodes == "" ? "127.0.0.1" : nodes, node, " ") }
    function upstreams(text, i, line) {
      for (i = 1; i <= count; i++) { line = text; gsub(/node:/, node[i] ":", line); print line }
    }
    held != "" { if ($0 ~ /^ *- "?node:[0-9]+"?$/) { upstreams(held "\n" $0); held = ""; next } print held; held = "" }
    /^ *- dial:$/ { held = $0; next }
    /^ *- dial: *\["?node:[0-9]+"?\]$/ { upstreams($0); next }
    { print }
    END { if (held != "") print held }' caddy.yaml >state/edge/caddy.new
  if ! cmp -s state/edge/caddy.new state/edge/caddy.yaml; then put state/edge/caddy.yaml 0644 <state/edge/caddy.new; fi
  rm -f state/edge/caddy.new
}
# reload: Caddy takes the file without ending a connection. The signal comes from within: Docker takes one that it sends
# itself for a stop by hand, and would not start Caddy again after a crash.
reload() {
  case $(condition caddy) in running*) docker compose exec -T caddy sh -c 'kill -USR1 1' </dev/null || fail 1 "Caddy did not take the list: sudo livekit-deploy logs caddy. Run this again." ;; esac
}
# save_nodes: takes the list from its input, and brings it into use.
save_nodes() {
  put "$NODES" 0644 || refuse "The list could not be written. Is the disk full?"
  render
  reload
}

# read_secrets: takes those of the edge from the input, and nothing else.
read_secrets() {
  [ ! -t 0 ] || fail 64 "The secrets come from the edge, through a pipe: sh cluster.sh join, on your computer."
  secrets=$(head -c 65536)
  if ! printf '%s\n' "$secrets" | LC_ALL=C grep -Eqv "^(LIVEKIT_(OLD_)?API_(KEY|SECRET)|REDIS_PASSWORD|WEBHOOK_SECRET|S3_(ACCESS_KEY|SECRET)|GCS_CREDENTIALS)=('[!-&(-~]*'|[!-&(-~]*)$" &&
    printf '%s\n' "$secrets" | grep -q '^LIVEKIT_API_KEY=.' && printf '%s\n' "$secrets" | grep -q '^LIVEKIT_API_SECRET=.' &&
    printf '%s\n' "$secrets" | grep -q '^REDIS_PASSWORD=.'; then return 0; fi
  refuse "What came are not the secrets of an edge."
}
# redis_says ADDRESS: what the Redis of the edge answers to the password of its input.
redis_says() { python3 "$BIN/cluster.py" redis "$1:6379" 2>/dev/null || say silent; }

case ${1:-role} in
role)
  case $ROLE in
  media | egress) say "$ROLE $(this_machine)" ;;
  edge) say "edge $PRIVATE_ADDRESS" ;;
  *) say none ;;
  esac
  ;;
first)
  need_balancer
  [ "$ROLE" != egress ] || refuse "This machine records alone: name one for calls first."
  need_first_boot
  [ -n "$ROLE" ] || {
    address=$(private_address)
    alone
    write_role media '' "$address"
  }
  alone
  "$BIN/first-boot.sh" --secrets
  grep -q '^REDIS_PASSWORD=.' secrets.env ||
    fail 1 "It has secrets now, but not yet the password of your Redis: sudo livekit-deploy set redis-password. Then run this again."
  start_role >&2
  say "media $(this_machine)"
  ;;
edge)
  [ "$TOPOLOGY" = cluster ] || refuse "Behind a balancer no machine is an edge: cluster first."
  case $ROLE in media | egress) refuse "This machine is one for calls or recording. First: sudo livekit-deploy cluster leave." ;; esac
  need_first_boot
  if [ "$ROLE" = edge ]; then
    [ "${2:-$PRIVATE_ADDRESS}" = "$PRIVATE_ADDRESS" ] || refuse "This machine is the edge at $PRIVATE_ADDRESS already."
  else
    case ${2:-} in
    '') address=$(private_address) ;;
    *)
      in_network "$2" || refuse "That is no address in $NETWORK, the private network of the options."
      private_addresses | grep -qxF -e "$2" || refuse "This machine does not have the address $2."
      address=$2
      ;;
    esac
    alone
    write_role edge "$address" "$address"
  fi
  alone
  start_role >&2
  say "edge $PRIVATE_ADDRESS"
  ;;
secrets)
  is_whole || need_edge
  [ ! -t 1 ] || fail 64 "They go to another machine, through a pipe: sh cluster.sh join, on your computer."
  [ -s secrets.env ] || fail 1 "There are no secrets yet: sudo livekit-deploy cluster $([ "$TOPOLOGY" = balanced ] && echo first || echo edge)."
  cat secrets.env
  ;;
join)
  # The line about this machine is all that stands in the output.
  exec 3>&1 1>&2
  [ "$ROLE" != edge ] || refuse "This machine is the edge of a cluster."
  # A machine that joins again stays what it is.
  wanted=${ROLE:-media}
  if [ "${2:-}" = --egress ]; then wanted=egress && shift; fi
  [ "${ROLE:-$wanted}" = "$wanted" ] || refuse "This machine is one for calls. First: sudo livekit-deploy cluster leave."
  [ "$wanted" != egress ] || [ -n "${EGRESS_SERVICES:-}" ] || refuse "The options have no machines for recording."
  edge=${2:-}
  if [ "$TOPOLOGY" = balanced ]; then [ -z "$edge" ] || refuse "Behind a balancer there is no edge."
  else in_network "$edge" || refuse "That is no address in $NETWORK, the private network of the options."; fi
  need_first_boot
  read_secrets
  address=$(private_address)
  [ "$address" != "$edge" ] || refuse "$edge is this machine itself."
  # Whether Redis of one's own takes the password, LiveKit's start shows.
  [ -n "$edge" ] || redis_says() { cat >/dev/null; say ok; }
  answer=$(printf '%s\n' "$secrets" | sed -n "s/^REDIS_PASSWORD=//p" | sed "s/^'\\(.*\\)'\$/\\1/" | redis_says "$edge")
  case $answer in
  ok* | loading) ;;
  refused) refuse "The Redis at $edge does not take the password that came: these are secrets of another edge." ;;
  *) refuse "Nothing answers at $edge, port 6379. Is this machine in the same private network, and does the edge run?" ;;
  esac
  alone
  [ "$secrets" = "$(cat secrets.env 2>/dev/null)" ] && [ "$ROLE,$EDGE_ADDRESS" = "$wanted,$edge" ] || {
    # What was begun is finished by the next run: LiveKit has the secrets once it has started with them.
    put state/secrets-changed 0644 </dev/null
    printf '%s\n' "$secrets" | put secrets.env 0600
    write_role "$wanted" "$edge" "$address"
  }
  start_role
  say "$(this_machine)$([ "$ROLE" = media ] || echo " $ROLE")" >&3
  ;;
add)
  need_edge
  case $#,${5:-} in 4, | 5,egress) ;; *) fail 64 "$USAGE" ;; esac
  in_network "$2" || refuse "That is no address in $NETWORK, the private network of the options."
  [ "$2" != "$PRIVATE_ADDRESS" ] || refuse "$2 is the edge itself."
  is_public "$3" || refuse "That is no public IPv4 address."
  is_name "$4" || refuse "A name has letters a to z, digits and hyphens."
  exec 8>state/edge/lock
  flock -w 60 8 || fail 75 "Another change of the list is under way. Nothing was changed."
  { grep -v "^$2 " "$NODES" || true; say "$2 $3 $4${5:+ $5}"; } | sort | save_nodes
  say "$4 ($2) gets $([ $# = 4 ] && echo connections || echo recordings)."
  ;;
remove)
  need_edge
  in_network "${2:-}" || refuse "That is no address in $NETWORK, the private network of the options."
  exec 8>state/edge/lock
  flock -w 60 8 || fail 75 "Another change of the list is under way. Nothing was changed."
  { grep -v "^$2 " "$NODES" || true; } | save_nodes
  say "$2 gets no new connections."
  ;;
nodes)
  need_edge
  cat "$NODES"
  ;;
count) exec "$BIN/before-stop.sh" --machines ;;
render)
  need_edge
  render
  reload
  ;;
renew)
  # Redis has gone back in time, so it does not know the rooms that run. The machines for calls notice by this key that it is
  # not the data of before, and begin all rooms anew.
  [ "$ROLE" = edge ] && [ -e state/edge/redis-went-back ] || exit 0
  docker compose exec -T redis sh -c 'REDISCLI_AUTH="$REDIS_PASSWORD" redis-cli del livekit-deploy:dataset' </dev/null | grep -qx '[01]' ||
    fail 1 "Redis did not answer, so rooms may be there twice: sudo livekit-deploy restart, on each machine for calls."
  rm -f state/edge/redis-went-back
  ;;
leave)
  [ -n "$ROLE" ] || { say "This machine has no role in a cluster." && exit 0; }
  [ "$ROLE" != edge ] || [ ! -s "$NODES" ] || refuse "The edge goes last: other machines are in its list. First, for each: sh cluster.sh leave NODE."
  alone
  [ "$ROLE,$TOPOLOGY" != media,cluster ] || systemctl disable --now livekit-cluster.service || true
  "$BIN/before-stop.sh"
  systemctl disable livekit.service || true
  systemctl stop livekit.service || true
  docker compose down || fail 1 "The containers were not removed. Run this again."
  # The console then waits for nothing of it. Without the console it goes all the same.
  [ ! -s server.key ] || "$BIN/console.sh" disconnect left || say "The console still shows this machine: disconnect it on its page there."
  rm -f secrets.env dns.env backup-keys.env "$ROTATION" state/secrets-changed state/agent-key.env
  rm -rf data/caddy state/edge/caddy.yaml state/before-restore
  rm -f .env
  systemctl reload-or-restart livekit-firewall.service || true
  backups=$(find "$ARCHIVE" -type f 2>/dev/null | wc -l) but=
  [ "$backups" = 0 ] || but=" but those in its backups: $backups in /var/backups/livekit"
  recordings=$(find out -type f 2>/dev/null | wc -l) end=", or be deleted."
  [ "$recordings" = 0 ] || end=". Before you delete it, copy what it has recorded: $recordings files in /opt/livekit/out."
  say "This machine has no role any more, and no secrets$but. It can join a cluster$end"
  ;;
rotate-redis)
  need_edge
  alone
  # While Redis takes both, each media machine gets the new one with a start of its own.
  new=$(secret REDIS_PASSWORD)
  old=$(sed -n "s/^user .* '>\(.*\)' '>.*'\$/\1/p" "$ROTATION" 2>/dev/null) || old=
  # One that was interrupted before secrets.env had the new password begins anew.
  if [ -z "$old" ] || [ "$old" = "$new" ]; then
    old=$new new=$(random 43)
    say "user default on ~* &* +@all '>$old' '>$new'" | put "$ROTATION" 0600 || refuse "Nothing can be written to $HERE. Is the disk full?"
  fi
  chown 999:1000 "$ROTATION"
  { printf '%s\n' "$old" "$new" | docker compose exec -T redis sh -c "IFS= read -r old; IFS= read -r new
for one in \"\$old\" \"\$new\"; do echo \"ACL SETUSER default '>\$old' '>\$new'\" | REDISCLI_AUTH=\$one redis-cli 2>/dev/null; done" | grep -x OK >/dev/null; } ||
    fail 1 "Redis did not take a second password: sudo livekit-deploy logs redis. Run this again."
  if [ "$(secret REDIS_PASSWORD)" != "$new" ]; then
    lines=$(grep -v '^REDIS_PASSWORD=' secrets.env)
    printf '%s\n' "$lines" "REDIS_PASSWORD=$new" | put secrets.env 0600
  fi
  say "Redis takes a second password. The media machines get it by: sh cluster.sh rotate redis, on your computer."
  ;;
rotate-redis-finish)
  need_edge
  alone
  if [ -e "$ROTATION" ]; then
    { secret REDIS_PASSWORD | docker compose exec -T redis sh -c 'IFS= read -r new; echo "ACL SETUSER default resetpass >$new" | REDISCLI_AUTH=$new redis-cli' | grep -qx OK; } ||
      fail 1 "Redis still takes the password of before: sudo livekit-deploy logs redis. Run this again."
    rm -f "$ROTATION"
  fi
  # Its container reads the new one when it starts.
  docker compose up -d --no-deps redis || fail 1 "Redis did not start: sudo livekit-deploy logs redis. Run this again."
  say "Redis takes the new password alone."
  ;;
take)
  [ -z "$ROLE" ] || { say "This machine has a role already: what it has stays." && exit 0; }
  need_first_boot
  [ ! -t 0 ] || fail 64 "It reads from a pipe: sh cluster.sh make --from, on your computer."
  alone
  stage=$STATE/take-stage
  rm -rf "$stage"
  trap 'rm -rf "$stage"' EXIT
  trap 'exit 1' HUP INT TERM
  mkdir -p "$stage/files"
  cat >"$stage/input"
  # An archive that lacks a file is whole to tar: the last word comes where the other side packed all of them.
  [ "$(tail -c 9 "$stage/input")" = complete ] || refuse "What came from the server is cut off."
  tar -tvf "$stage/input" >"$stage/list" 2>/dev/null && ! grep -q '^[^-d]' "$stage/list" || refuse "What came from the server is something else than its files."
  tar -tf "$stage/input" >"$stage/names"
  if grep -Eqv '^(secrets\.env|dns\.env|backup-keys\.env|data/caddy/.*|data/redis/dump\.rdb)$' "$stage/names" || grep -Eq '(^|/)\.\.(/|$)' "$stage/names"; then
    refuse "What came from the server has files that it should not have."
  fi
  tar -xf "$stage/input" -p --numeric-owner -C "$stage/files" || refuse "What came from the server could not be unpacked."
  grep -q '^LIVEKIT_API_KEY=.' "$stage/files/secrets.env" && grep -q '^LIVEKIT_API_SECRET=.' "$stage/files/secrets.env" || refuse "The server has no API key."
  "$BIN/first-boot.sh" --folders
  # Redis reads it where it has no append-only file, as of a cluster that this was the edge of.
  [ ! -e "$stage/files/data/redis/dump.rdb" ] || rm -rf data/redis/appendonlydir
  for path in data/redis/dump.rdb data/caddy; do
    [ -e "$stage/files/$path" ] || continue
    rm -rf "$path.new"
    mv "$stage/files/$path" "$path.new"
    rm -rf "$path"
    mv "$path.new" "$path"
  done
  [ ! -e data/redis/dump.rdb ] || chown 999:1000 data/redis/dump.rdb
  for name in dns.env backup-keys.env; do [ ! -e "$stage/files/$name" ] || put "$name" 0600 <"$stage/files/$name"; done
  # The password of Redis is this cluster's own.
  grep -v '^REDIS_PASSWORD=' "$stage/files/secrets.env" | put secrets.env 0600
  say "The API keys, the certificates and what Redis had are here. Next: sudo livekit-deploy cluster edge"
  ;;
*) fail 64 "$USAGE" ;;
esac
