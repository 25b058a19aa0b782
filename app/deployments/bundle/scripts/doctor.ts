/** `doctor.sh`: Looks at everything that people notice when it breaks, and says the next step. */
export const doctorScript = `#!/bin/sh
# Looks at everything that people notice when it breaks, and says the next step.
# doctor.sh [--quiet]   --quiet shows only what is not well.
# Exit: 0 all well, 1 something needs attention, 2 something does not work.
# shellcheck source=environment.sh
. "\${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
quiet=\${1:-}
worst=0
row() { printf '%-5s %-34s %s\\n' "$1" "$2" "$3"; }
good() { [ "$quiet" = --quiet ] || row ok "$1" "$2"; }
# attention|broken WHAT FOUND NEXT-STEP
attention() {
  row WARN "$1" "$2"
  row '' '' "next: $3"
  [ "$worst" -ge 1 ] || worst=1
}
broken() {
  row FAIL "$1" "$2"
  row '' '' "next: $3"
  worst=2
}
names() {
  {
    printf '%s\\n' "$DOMAIN" "$1" "$WHIP_DOMAIN"
    printf '%s\\n' "$EXTRA_DOMAINS" | tr , '\\n'
  } | grep . | sort -u
}
tls_port=443
[ "$PROXY" = none ] || tls_port=8443

configuration() {
  if [ ! -s secrets.env ]; then
    broken secrets.env missing "sudo $BIN/first-boot.sh"
  elif [ "$(stat -c %a secrets.env)" != 600 ]; then
    broken secrets.env "others may read it" "sudo chmod 600 $HERE/secrets.env"
  else good secrets.env "only root reads it"; fi
  [ ! -e state/updating ] || attention update "one was interrupted" "sudo livekit-deploy update"
  [ ! -e state/restoring ] || broken restore "one was interrupted" "sudo systemctl restart livekit"
  [ ! -e "$ROOT/run/reboot-required" ] || attention reboot "a system update waits for one" "sudo reboot, in a quiet hour"
}
name_points_here() {
  want=$(sed -n s/NODE_IP=//p state/address.env)
  found=$(getent ahostsv4 "$1" | awk '{ print $1 }' | sort -u | tr '\\n' ' ') || found=
  found=\${found% }
  if [ -z "$found" ]; then
    broken "DNS $1" "no address" "set an A record: $1 -> \${want:-this machine}"
  elif [ -z "$want" ]; then
    attention "DNS $1" "$found; this machine's own address is not known" "sudo $BIN/before-start.sh"
  elif [ "$found" != "$want" ]; then
    broken "DNS $1" "points to $found, not to $want" "change the A record of $1 to $want; no proxy or CDN in between"
  else good "DNS $1" "$found"; fi
  [ "$ADDRESSES" = dual ] || return 0
  own=$(ip -6 -o addr show scope global | awk '{ sub("/.*", "", $4); print $4 }') || own=
  six=$(getent ahostsv6 "$1" | awk '$1 !~ /^::ffff:/ { print $1; exit }') || six=
  if [ -n "$six" ] && printf '%s\\n' "$own" | grep -qx "$six"; then good "DNS $1, IPv6" "$six"; else
    attention "DNS $1, IPv6" "\${six:-no address}" "set an AAAA record to: \${own:-(this machine has no IPv6 address)}"
  fi
}
# listening PORT/PROTOCOL
listening() { ss -Hln"$(printf %.1s "\${1#*/}")" | awk '{ print $4 }' | grep -q ":\${1%/*}$"; }
ports() {
  for port in $(words "$PUBLIC_PORTS"); do
    # Caddy opens port 80 only while a certificate is issued: the certificates' rows tell of it. Ports of a
    # range are opened one by one, for a call.
    case $port in 80/tcp | *-*) continue ;; 443/tcp) port=$tls_port/tcp ;; esac
    if listening "$port"; then good "port $port" listening; else
      broken "port $port" "nobody listens" "sudo livekit-deploy logs"
    fi
  done
  if nft list table inet livekit >/dev/null 2>&1; then good firewall "loaded: only the public ports are open"; else
    broken firewall "not loaded: internal ports may be open" "sudo systemctl reload-or-restart livekit-firewall"
  fi
  for port in 6379 2019 6789 9095 9100; do
    if ss -Hlnt | awk '{ print $4 }' | grep ":$port$" | grep -Eqv '^(127\\.|\\[::1]|\\[::ffff:127\\.)'; then
      attention "port $port/tcp" "listens beyond this machine" "bind it to 127.0.0.1; the firewall keeps it shut meanwhile"
    fi
  done
}
certificate() {
  seen=$(openssl s_client -connect "127.0.0.1:$tls_port" -servername "$1" -verify_return_error -verify_hostname "$1" </dev/null 2>/dev/null) || seen=
  if ! printf '%s\\n' "$seen" | openssl x509 -noout >/dev/null 2>&1; then
    broken "certificate $1" "none that browsers accept" "sudo livekit-deploy logs caddy; port 80 and the DNS record must be right"
    [ "$1" != "$TURN_DOMAIN" ] || broken "TURN over TLS" "no handshake as $1" "the certificate comes first"
    return 0
  fi
  end=$(printf '%s\\n' "$seen" | openssl x509 -noout -enddate | sed 's/^notAfter=//')
  days=$((($(date -d "$end" +%s) - $(date +%s)) / 86400))
  if [ "$days" -lt 3 ]; then
    broken "certificate $1" "$days days left" "sudo livekit-deploy logs caddy; then: sudo systemctl reload livekit"
  elif [ "$days" -lt 14 ]; then
    attention "certificate $1" "$days days left, it should have been renewed" "sudo livekit-deploy logs caddy"
  else good "certificate $1" "$days days left"; fi
  [ "$1" != "$TURN_DOMAIN" ] || good "TURN over TLS" "handshake on port $tls_port"
}
services() {
  for service in $(words "$SERVICES"); do
    now=$(condition "$service")
    case $now in
    running | "running healthy") good "service $service" "$now" ;;
    "running starting") attention "service $service" starting "look again in a minute" ;;
    *) broken "service $service" "$now" "sudo livekit-deploy logs $service" ;;
    esac
  done
  if [ "$(curl -fsS --max-time 5 http://127.0.0.1:7880/ 2>/dev/null)" = OK ]; then good "LiveKit answers" OK; else
    broken "LiveKit answers" no "sudo livekit-deploy logs livekit"
  fi
}
turn_udp() {
  [ "$TURN_UDP" = yes ] || return 0
  # Bash alone can send UDP: a STUN binding request, whose answer begins with 01 01.
  answer=$(
    timeout 3 bash -s "\${TURN_UDP_PORT:-3478}" <<'IN' | od -An -tx1
exec 3<>"/dev/udp/127.0.0.1/$1" && printf '\\0\\1\\0\\0\\41\\22\\244\\102livekitdoctr' >&3 && head -c 2 <&3
IN
  ) || answer=
  if [ "$answer" = ' 01 01' ]; then good "TURN over UDP" "answers a binding request"; else
    broken "TURN over UDP" "no answer on port \${TURN_UDP_PORT:-3478}" "sudo livekit-deploy logs livekit"
  fi
}
machine() {
  used=$(df -Pk "$HERE" | awk 'NR == 2 { print int($5) }')
  if [ "$used" -ge 95 ]; then
    broken disk "$used % used" "sudo docker image prune; look at $HERE/out and $ARCHIVE"
  elif [ "$used" -ge 85 ]; then
    attention disk "$used % used" "sudo docker image prune; look at $HERE/out and $ARCHIVE"
  else good disk "$used % used"; fi
  if [ "$(timedatectl show -p NTPSynchronized --value 2>/dev/null)" = yes ]; then good clock synchronized; else
    attention clock "not synchronized: tokens and certificates need the right time" "sudo timedatectl set-ntp true"
  fi
}
alerts() {
  [ "$MONITORING" = 24/7 ] || return 0
  if ! found=$(curl -fsSG --max-time 5 --data-urlencode 'query=ALERTS{alertstate="firing"}' http://127.0.0.1:9095/api/v1/query 2>/dev/null); then
    attention alerts "Prometheus does not answer" "sudo livekit-deploy logs prometheus"
    return 0
  fi
  found=$(printf '%s' "$found" | grep -o '"alertname":"[^"]*"' | cut -d '"' -f 4 | sort -u | tr '\\n' ' ') || found=
  if [ -n "$found" ]; then broken alerts "$found" "look at the machine now"
  else good alerts "none is firing"; fi
}
backups() {
  case $BACKUPS in daily) most=2 ;; weekly) most=9 ;; monthly) most=33 ;; *) return 0 ;; esac
  # A machine younger than one turn has no backup to show yet.
  if [ -n "$(find "$ARCHIVE" -maxdepth 1 -name 'livekit-*' -mtime "-$most" 2>/dev/null)" ]; then
    good backup "the newest is younger than $most days"
  elif [ -n "$(find state/first-boot-done -mtime "-$most" 2>/dev/null)" ]; then good backup "the first one comes by the timer"
  else attention backup "none in the last $most days" "sudo livekit-deploy backup"; fi
}

configuration
turn_name=
[ "$TURN_TLS" != yes ] || turn_name=$TURN_DOMAIN
for name in $(names "$TURN_DOMAIN"); do name_points_here "$name"; done
ports
for name in $(names "$turn_name"); do certificate "$name"; done
services
turn_udp
machine
alerts
backups
if [ "$quiet" != --quiet ]; then
  case $worst in 0) say "All well." ;; 1) say "It works, and something needs attention." ;; *) say "Something does not work." ;; esac
fi
exit "$worst"
`;
