# shellcheck shell=sh
# The part of doctor.sh that looks at the other machines of a cluster: the edge at those for calls, these at the edge.
# shellcheck disable=SC2034,SC2154 # It shares its variables with doctor.sh.
ask_cluster() {
  case $ROLE in
  edge)
    ports=$(awk -v tls="$TURN_TLS" 'NF == 3 { print $1 ":7880"; if (tls == "yes") print $1 ":5349" }' state/edge/nodes 2>/dev/null) || ports=
    # shellcheck disable=SC2086 # A list of words.
    [ -z "$ports" ] || timeout 9 python3 "$BIN/cluster.py" reach $ports >"$work/nodes" 2>/dev/null &
    ;;
  media | egress)
    if [ "$ROLE,$TOPOLOGY" = media,balanced ]; then curl -sS --noproxy '*' --max-time 5 -o /dev/null -w '%{http_code}' http://127.0.0.1:7994/ >"$work/balancer" 2>/dev/null &
    elif [ "$TOPOLOGY" = cluster ] && [ -s secrets.env ]; then secret REDIS_PASSWORD | timeout 9 python3 "$BIN/cluster.py" redis "$EDGE_ADDRESS:6379" >"$work/edge" 2>/dev/null &
    fi
    ;;
  esac
}
cluster() {
  what=role
  if [ -z "$ROLE" ]; then
    finding role.missing cluster "it is ready, and waits for its role"
    return 0
  fi
  good "$ROLE"
  what="private address"
  if ip -4 -o addr show | awk '{ sub("/.*", "", $4); print $4 }' | grep -qxF "$PRIVATE_ADDRESS"; then good "$PRIVATE_ADDRESS"
  else finding role.address "$PRIVATE_ADDRESS" "this machine does not have it any more"; fi
  case $ROLE,$TOPOLOGY in
  edge,*) nodes ;;
  media,balanced) balancer ;;
  *,balanced) ;;
  *) edge ;;
  esac
}
# Names lead to the balancer, whose address no machine knows. At the own address of a machine they would go with it.
balancer() {
  what="balancer's check"
  answer=$(cat "$work/balancer" 2>/dev/null) || answer=
  case $answer in
  200) good "answered" ;;
  503) finding balancer.draining "$PRIVATE_ADDRESS" "a drain goes on" ;;
  *) finding balancer.refused "$PRIVATE_ADDRESS" "port 7994 says ${answer:-nothing}" ;;
  esac
  address=$(sed -n s/^NODE_IP=//p state/address.env 2>/dev/null) || address=
  for name in $(names "$TURN_DOMAIN"); do
    what="DNS $name, A"
    found=$(awk '{ print $1 }' "$work/$name.A" | sort -u | paste -sd ' ' -)
    case " $found " in
    "  ") finding dns.missing "$name" "no address" "A (the balancer)" ;;
    *" $address "*) finding dns.unbalanced "$name" "points to this machine, $address" ;;
    *) good "$found" ;;
    esac
  done
}
nodes() {
  count=0 recording=0
  listed=$(cat state/edge/nodes 2>/dev/null) || listed=
  while read -r private public name role; do
    [ -n "$private" ] || continue
    # Nothing there opens a port: its own doctor and the console know how it is.
    [ "$role" != egress ] || { recording=$((recording + 1)) && continue; }
    count=$((count + 1))
    what="node $name"
    silent=$(sed -n "s/^$private:\([0-9]*\) silent\$/\1/p" "$work/nodes" 2>/dev/null | paste -sd ' ' -)
    if [ "$silent" = 5349 ]; then finding node.draining "$private" "$name ($public): nothing answers on 5349"
    elif [ -n "$silent" ]; then finding node.silent "$private" "$name ($public): nothing answers on $silent"
    elif grep -q "^$private:7880 ok\$" "$work/nodes" 2>/dev/null; then good "$private answers"
    else finding node.silent "$private" "$name ($public) could not be asked"; fi
  done <<LIST
$listed
LIST
  what=nodes
  if [ "$count" = 0 ]; then finding nodes.none cluster "nobody can join"
  elif [ "$count" -lt "$MACHINES" ]; then finding nodes.fewer cluster "$count of $MACHINES"
  else good "$count"; fi
  [ "$recording" -ge "${EGRESS_MACHINES:-0}" ] || finding nodes.fewer egress "$recording of $EGRESS_MACHINES for recording"
}
# What is wrong with the Redis of the edge, edge() says.
[ "$TOPOLOGY" = balanced ] || redis_elsewhere() { :; }
# LiveKit takes no word of a machine whose clock is more than two seconds away.
edge() {
  what="watch over Redis"
  if [ "$ROLE" = egress ]; then :
  elif [ "$(timeout 3 systemctl show -p ActiveState --value livekit-cluster.service 2>/dev/null)" = active ]; then good active
  else finding role.unwatched livekit-cluster.service "it does not run"; fi
  what="Redis of the edge"
  answer=$(cat "$work/edge" 2>/dev/null) || answer=
  case $answer in
  ok*) good "it answers" ;;
  loading) finding edge.silent "$EDGE_ADDRESS" "it is loading its data" ;;
  refused) finding edge.refused "$EDGE_ADDRESS" "it does not take this machine's password" ;;
  *) finding edge.silent "$EDGE_ADDRESS" "nothing answers on port 6379" ;;
  esac
  case $answer in ok*) ;; *) return 0 ;; esac
  what="clock of the edge"
  off=$(say "${answer#ok }" | awk '{ print ($1 < 0 ? -$1 : $1) }')
  if awk -v off="$off" 'BEGIN { exit !(off > 1) }'; then finding clock.apart "$EDGE_ADDRESS" "$off seconds from this one"
  else good "less than a second away"; fi
}
