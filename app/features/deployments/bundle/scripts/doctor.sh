#!/bin/sh
# Looks at everything that people notice when it breaks, and says the next step.
# doctor.sh [--quiet | --report] [--keep FILE]   --quiet shows only what is not well.
# --report prints a line for each finding, --keep writes the same into a file: code, severity (warning, critical),
# subject, found and wanted, separated by tabs, in ASCII. Codes stay as they are; nothing secret is in a report.
# FILE-certificates gets a line for each certificate: its name and when it ends, in seconds since 1970. FILE-releases gets
# one for each service: its name and the version that runs.
# Exit: 0 all well, 1 something needs attention, 2 something does not work or could not be looked at, 64 usage.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
# Whatever takes time is started at once, each with a timeout, so that everything together takes ten seconds at most.
show=all
keep=
while [ $# -gt 0 ]; do
  case $1 in
  --quiet | --report) show=${1#--} ;;
  --keep) keep=${2:-} && shift ;;
  *) set -- && keep= ;;
  esac
  [ $# -gt 0 ] || fail 64 "Usage: doctor [--quiet | --report] [--keep FILE]"
  shift
done
worst=0
report=
work=
# When the doctor is interrupted it removes the kept report, so that nobody takes an old report for a new one.
trap 'rm -rf "$work"; [ -n "${ended:-}" ] || { [ -z "$keep" ] || rm -f "$keep"; exit 2; }' EXIT
trap 'exit 1' HUP INT TERM
# /run is in memory, so this works when the disk is full.
work=$(mktemp -d -p "$ROOT/run" 2>/dev/null || mktemp -d)

row() { [ "$show" = report ] || printf '%-5s %-34s %s\n' "$1" "$2" "$3"; }
# good FOUND: a row of the output about $what.
good() { [ "$show" != all ] || row ok "$what" "$1"; }
# shellcheck source=doctor/advice.sh
. "./doctor/advice.sh"
# finding CODE SUBJECT FOUND [WANTED]: a row of the output about $what, and a line of the report.
finding() {
  subject=$2 wanted=${4:-}
  advice "$1"
  if [ "$severity" = critical ]; then
    row FAIL "$what" "$3"
    worst=2
  else
    row WARN "$what" "$3"
    [ "$worst" -ge 1 ] || worst=1
  fi
  row '' '' "next: $next [$1]"
  line=$(printf '%s\037%s\037%.253s\037%.200s\037%.200s' "$1" "$severity" "$2" "$3" "$wanted" | tr -c '\037\040-\176' '?' | tr '\037' '\t')
  report="$report$line
"
}
tls_port=443
[ "$PROXY" = none ] || tls_port=8443
turn_port=${TURN_UDP_PORT:-3478}
turn_name=
[ "$TURN_TLS" != yes ] || turn_name=$TURN_DOMAIN

#if CLUSTER
# Names, certificates and TURN over TLS are the edge's. TURN over UDP is that of each machine for calls.
is_whole || { turn_name='' && names() { :; }; }
[ "$ROLE" = media ] || TURN_UDP=no
#end
# shellcheck source=doctor/network.sh
. "./doctor/network.sh"
# shellcheck source=doctor/firewall.sh
. "./doctor/firewall.sh"
# shellcheck source=doctor/machine.sh
. "./doctor/machine.sh"
#if CLUSTER
# shellcheck source=doctor/cluster.sh
. "./doctor/cluster.sh"
#end

ask_network
ask_firewall
ask_machine
#if CLUSTER
ask_cluster
#end
wait
configuration
#if CLUSTER
cluster
# A machine for calls has no names: of this it has the public address alone. One for recording needs neither.
[ -z "$ROLE" ] || [ "$ROLE" = egress ] || [ "$TOPOLOGY" = balanced ] || dns
#end
#if SINGLE
dns
#end
ports
firewalls
given_certificate
for name in $(names "$turn_name"); do certificate "$name"; done
units
services
turn
insights
disk
clock
alerts
backups
case $show in
report) printf %s "$report" ;;
all) case $worst in 0) say "All well." ;; 1) say "It works, and something needs attention." ;; *) say "Something does not work." ;; esac ;;
esac
if [ -n "$keep" ]; then
  printf %s "$report" | put "$keep" 0644 || rm -f "$keep"
  for kind in certificates releases; do
    cat "$work/$kind" 2>/dev/null | put "$keep-$kind" 0644 || rm -f "$keep-$kind"
  done
fi
ended=yes
exit "$worst"
