# shellcheck shell=sh
# The part of doctor.sh that looks at names, ports, certificates and TURN.
# shellcheck disable=SC2034,SC2154 # It shares its variables with doctor.sh.
ask_network() {
  for name in $(names "$TURN_DOMAIN"); do
    timeout 4 getent ahostsv4 "$name" >"$work/$name.A" 2>/dev/null &
    [ "$ADDRESSES" = ipv4 ] || timeout 4 getent ahostsv6 "$name" >"$work/$name.AAAA" 2>/dev/null &
  done
  for name in $(names "$turn_name"); do
    timeout 5 openssl s_client -connect "127.0.0.1:$tls_port" -servername "$name" -verify_return_error -verify_hostname "$name" </dev/null >"$work/$name.tls" 2>&1 &
  done
  { timeout 5 docker compose logs --no-color --tail 1000 caddy | grep rateLimited; } >"$work/limits" 2>/dev/null &
  [ -s secrets.env ] || return 0
  host=127.0.0.1
  [ "$ADDRESSES" != ipv6 ] || host=::1
  set --
  [ "$TURN_UDP" != yes ] || set -- "udp=$host:$turn_port"
  [ -z "$turn_name" ] || set -- "$@" "tls=127.0.0.1:$tls_port=$turn_name"
  case ",$PUBLIC_PORTS," in *,7882/udp,*) set -- "$@" media=7882 ;; esac
  # The keys go through standard input, because everybody on the machine can see the arguments of a program.
  { for key in LIVEKIT_API LIVEKIT_OLD_API; do say "$(secret "${key}_KEY")" "$(secret "${key}_SECRET")"; done; } |
    timeout 9 python3 "$BIN/turn-check.py" "$@" >"$work/turn" 2>/dev/null &
}
# record TYPE FOUND WANTED: a finding about a DNS record of $name.
record() {
  what="DNS $name, $1"
  if [ -z "$2" ]; then finding dns.missing "$name" "no address" "$1 ${3:-(this machine)}"
  elif [ -n "$3" ] && [ "$2" != "$3" ]; then finding dns.wrong "$name" "points to $2, not to $3" "$1 $3"
  else good "$2"; fi
}
dns() {
  address=$(sed -n s/^NODE_IP=//p state/address.env 2>/dev/null) || address=
  # Where no metadata tell the address, LiveKit asks STUN for it, and the relay that turn-check.py got shows it.
  [ -n "$address" ] || address=$(sed -n 's/.* relay at \([^,]*\),.*/\1/p' "$work/turn" 2>/dev/null | head -n 1)
  what=address
  [ -n "$address" ] || finding address.unknown "$DOMAIN" "nobody told it"
  own=$(ip -6 -o addr show scope global | awk '{ sub("/.*", "", $4); print $4 }') || own=
  for name in $(names "$TURN_DOMAIN"); do
    [ "$ADDRESSES" = ipv6 ] || record A "$(awk '{ print $1 }' "$work/$name.A" | sort -u | paste -sd ' ' -)" "$address"
    [ "$ADDRESSES" != ipv4 ] || continue
    six=$(awk '$1 !~ /^::ffff:/ { print $1; exit }' "$work/$name.AAAA")
    if [ -n "$six" ] && printf '%s\n' "$own" | grep -qxF "$six"; then
      what="DNS $name, AAAA"
      good "$six"
    elif [ "$ADDRESSES" = ipv6 ]; then record AAAA "$six" "$address"
    else
      what="DNS $name, AAAA"
      finding dns.ipv6 "$name" "${six:-no address}" "AAAA ${own:-(this machine has no IPv6 address)}"
    fi
  done
}
# holder PORT/PROTOCOL: the program that listens there.
holder() {
  ss -Hln"$(printf %.1s "${1#*/}")p" | awk -v end=":${1%/*}" 'substr($4, length($4) - length(end) + 1) == end && match($0, /users:\(\("[^"]+/) { print substr($0, RSTART + 9, RLENGTH - 9); exit }'
}
# listening PORT/PROTOCOL
listening() { ss -Hln"$(printf %.1s "${1#*/}")" | awk '{ print $4 }' | grep -q ":${1%/*}$"; }
ports() {
  for port in $(words "$PUBLIC_PORTS"); do
    # The ports of a range are opened one by one, for each call.
    case $port in
    *-*) continue ;;
    443/tcp) port=$tls_port/tcp ;;
    # Caddy listens there only while a certificate is issued, which the rows about certificates cover.
    80/tcp) continue ;;
    esac
    what="port $port"
    program=$(holder "$port")
    case $program in
    '' | caddy | livekit-server | ingress | livekit-sip | sip) ;;
    *)
      finding port.taken "$port" "another program holds it: $program"
      continue
      ;;
    esac
    if listening "$port"; then good listening; else finding port.silent "$port" "nobody listens"; fi
  done
  for port in 6379 2019 6789 9095 9100; do
    what="port $port/tcp"
#if CLUSTER
    # The firewall opens Redis to the network of the cluster, and nothing else of these.
    if ss -Hlnt | awk '{ print $4 }' | grep ":$port$" | grep -vF "$PRIVATE_ADDRESS:" | grep -Eqv '^(127\.|\[::1]|\[::ffff:127\.)'; then
      finding port.exposed "$port/tcp" "listens beyond the cluster"
    fi
#end
#if SINGLE
    if ss -Hlnt | awk '{ print $4 }' | grep ":$port$" | grep -Eqv '^(127\.|\[::1]|\[::ffff:127\.)'; then
      finding port.exposed "$port/tcp" "listens beyond this machine"
    fi
#end
  done
}
# limit NAME: sets limited to when the authority gives this name a certificate again, where Caddy's newest line says that.
limit() {
  limited=$(sed -n "s/.*\"identifier\":\"$1\".*rateLimited.* retry after \([0-9-]* [0-9:]* UTC\).*/\1/p" "$work/limits" | tail -n 1)
  [ -z "$limited" ] || [ "$(date -d "$limited" +%s)" -gt "$(date +%s)" ] || limited=
}
# given_certificate: what Caddy cannot read stops it at its next start. Of a person's own files it is the last that was taken.
given_certificate() {
  [ "$CERTIFICATES" != automatic ] || return 0
#if CLUSTER
  has_service caddy || return 0
#end
  what="certificate file"
  fault=$("$BIN/certificate.sh" --check)
  case $fault,$CERTIFICATES in
  ,*) ;;
  *,dns) finding cert.dns "$DOMAIN" "$fault" ;;
  *) finding cert.files "$DOMAIN" "$fault" ;;
  esac
  what="DNS credentials"
  for name in $(words "${DNS_CREDENTIALS:-}"); do
    grep -q "^$name=." dns.env 2>/dev/null || finding cert.dns.credentials dns.env "$name is missing"
  done
}
certificate() {
  what="certificate $1"
  fault=$(sed -n 's/^verify error:num=[0-9]*://p' "$work/$1.tls" | head -n 1)
  end=$(openssl x509 -noout -enddate <"$work/$1.tls" 2>/dev/null) || end=
  limit "$1"
  days=0
  if [ -z "$fault" ] && [ -n "$end" ]; then
    end=$(date -d "${end#notAfter=}" +%s)
    printf '%s\t%s\n' "$1" "$end" >>"$work/certificates"
    days=$(((end - $(date +%s)) / 86400))
    found="$days days left"
    [ "$days" -lt 14 ] || { good "$found" && return 0; }
    # Caddy and lego renew a certificate long before.
    [ "$days" -lt 3 ] || [ "$CERTIFICATES" = files ] || found="$found, it should have been renewed"
    found="$found${limited:+, and no new one before $limited}"
  else
    found=${fault:-none is shown}
  fi
  state=limited
  if [ "$days" -ge 3 ]; then state=expiring
  elif [ -z "$fault" ] && [ -n "$end" ]; then state=ending
  elif [ -n "$limited" ]; then :
  elif [ -n "$fault" ]; then state=invalid
  else state=missing; fi
  reason=$(tail -n 1 state/certificate-problem 2>/dev/null) || reason=
  case $CERTIFICATES.$state in
  dns.expiring) finding cert.dns.ending "$1" "$found${reason:+: $reason}" ;;
  dns.*) finding cert.dns "$1" "$found${reason:+: $reason}" ;;
  files.expiring) finding cert.files.ending "$1" "$found" ;;
  files.*) finding cert.files "$1" "$found" ;;
  *.expiring) finding cert.expiring "$1" "$found" ;;
  *.ending) finding cert.ending "$1" "$found" ;;
  *.limited) finding cert.limited "$1" "$found, and the authority gives none before $limited" "$limited" ;;
  *.invalid) finding cert.invalid "$1" "$found" ;;
  *) finding cert.missing "$1" "$found" ;;
  esac
}
turn() {
  [ -s secrets.env ] || return 0
  what=TURN
#if CLUSTER
  # The relays that the edge gets are on the other machines, so nothing from them comes back here.
  [ "$ROLE" = media ] || { grep -v '^hairpin ' "$work/turn" >"$work/relays" || true; mv "$work/relays" "$work/turn"; }
  [ "$TURN_UDP$turn_name" != no ] || return 0
#end
  [ -s "$work/turn" ] || finding turn.unchecked "$DOMAIN" "turn-check.py told nothing"
  while read -r way state found; do
    case $way in
    udp) what="TURN over UDP" subject=$turn_port/udp ;;
    tls) what="TURN over TLS" subject=$turn_name ;;
    hairpin) what="TURN hairpin" subject=$address ;;
    esac
    case $way.$state in
    *.ok) good "$found" ;;
    key.*) what="API key" && finding key.pending LIVEKIT_API_KEY "LiveKit takes the old one only" ;;
    *.refused) finding turn.refused "$subject" "$found" ;;
    udp.*) finding turn.udp.silent "$subject" "$found" ;;
    tls.*) finding turn.tls.silent "$subject" "$found" ;;
    hairpin.*) finding turn.hairpin "$subject" "a packet to $found did not come back" ;;
    esac
  done <"$work/turn"
}
