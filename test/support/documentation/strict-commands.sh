# shellcheck shell=bash
# What the documentation's commands meet in place of programs that a test may not have or must not run. Each refuses a
# subcommand, an option, a service, a unit, a file or a name that there is not, so that an untrue command fails.
# It reads: $OPTIONS, a line for each subcommand: "TOOL SUBCOMMAND: OPTIONS"; $MACHINE_PATH, where the fakes of a
# machine's programs are; $SERVICES, $NAMES, $UNITS, $TCP_PORTS, $INTERNAL_PORTS, what the deployment has, and $PACKAGES, NAME@VERSION
# of what the samples are tried with, with spaces around each; $READERS, the programs that read files; $CERTIFICATE, a
# file; $SITE, the host of this site; $REFUSED, the file where it says why it refused.

refuse() {
  printf '%s\n' "$*" >>"$REFUSED"
  return 64
}
# A program of this name is neither here nor on the machine that runs the tests.
command_not_found_handle() { refuse "$1: there is no such command"; }

# check_options NAME OPTIONS ARGUMENT…: checks the options, and leaves what else there is in $words. An option that
# ends in "=" takes a value, one that ends in "=<" a file that is there.
check_options() {
  local name=$1 allowed=" $2 " option value
  shift 2
  words=()
  while [ $# -gt 0 ]; do
    case $1 in
    -?*)
      option=${1%%=*}
      case $allowed in
      *" $option= "* | *" $option=< "*)
        if [ "$option" = "$1" ]; then
          shift
          value=${1-}
        else value=${1#*=}; fi
        [ "$value" ] || refuse "$name: $option wants a value" || return
        case $allowed in *" $option=< "*) [ -s "${value#file*://}" ] || refuse "$name: there is no file $value" || return ;; esac
        ;;
      *" $option "*) ;;
      *) refuse "$name has no option $option" || return ;;
      esac
      ;;
    *) words+=("$1") ;;
    esac
    shift
  done
}
# in_table TOOL ARGUMENT…: as `check_options`, with the options that $OPTIONS has for the longest subcommand that fits.
in_table() {
  local tool=$1 line subcommand best='' options=''
  shift
  while IFS= read -r line; do
    case $line in "$tool "*) ;; *) continue ;; esac
    subcommand=${line%%:*}
    case "$tool $* " in
    "$subcommand "*) [ ${#subcommand} -le ${#best} ] || best=$subcommand options=${line#*: } ;;
    esac
  done <<<"$OPTIONS"
  [ "$best" ] || refuse "$tool $*: there is no such subcommand" || return
  check_options "$best" "$options" "$@"
}
# all_of LIST WHAT WORD…: whether every word is in the list.
all_of() {
  local list=$1 what=$2 word
  shift 2
  for word; do
    case $list in *" $word "*) ;; *) refuse "there is no $what $word" || return ;; esac
  done
}
as_root() { [ "${ROOT_NOW-}" ] || refuse "$*: not permitted without sudo"; }
# may_read NAME WORD…: refuses, without sudo, a path that is closed to others on the machine, or is below such a folder.
# The rights are those that first-boot.sh gave in the folder that plays the machine.
may_read() {
  local name=$1 word path
  shift
  [ -z "${ROOT_NOW-}" ] || return 0
  for word; do
    case $word in /*) path=$word ;; *) path=$PWD/$word ;; esac
    while case $path in "$LIVEKIT_DEPLOY_ROOT"/*) true ;; *) false ;; esac do
      case $(on_machine stat -c %a "$path" 2>/dev/null) in
      *0) refuse "$name ${word#"$LIVEKIT_DEPLOY_ROOT"}: not permitted without sudo" || return ;;
      esac
      path=${path%/*}
    done
  done
}

for tool in $(cut -d ' ' -f 1 <<<"$OPTIONS" | sort -u); do
  eval "$tool() { in_table $tool \"\$@\"; }"
done

sudo() {
  local ROOT_NOW=yes
  "$@"
}
on_machine() { PATH=$MACHINE_PATH command "$@"; }
for reader in $READERS; do
  eval "$reader() { may_read $reader \"\$@\" && command $reader \"\$@\"; }"
done
cd() { may_read cd "$1" && builtin cd "$1"; }
livekit-deploy() {
  as_root livekit-deploy || return
  if [ "$1" = logs ]; then all_of "$SERVICES" service "${@:2}" || return; fi
  local status=0
  on_machine dash "$LIVEKIT_DEPLOY_ROOT/usr/bin/livekit-deploy" "$@" || status=$?
  [ "$status" != 64 ] || refuse "livekit-deploy $*"
  return "$status"
}
docker() {
  as_root docker || return
  case $1 in
  compose)
    [ -e docker-compose.yaml ] || refuse "docker $*: there is no docker-compose.yaml in $PWD" || return
    in_table docker "$@" || return
    all_of "$SERVICES" service "${words[@]:2}" || return
    [ "$2" = logs ] || on_machine docker "$@" || return
    [ "$2" != logs ] || printf '%s\n' "livekit-1  | starting LiveKit server" "egress-1  | not enough cpu for some egress types"
    ;;
  *) in_table docker "$@" ;;
  esac
}
systemctl() {
  in_table systemctl "$@" || return
  case $1 in start | stop | restart | reload | reload-or-restart | daemon-reload) as_root "systemctl $1" || return ;; esac
  local unit
  for unit in "${words[@]:1}"; do
    case $unit in livekit-\*.timer | livekit-\*.service) ;; *) all_of "$UNITS" unit "${unit%.service}" || return ;; esac
  done
}
journalctl() {
  check_options journalctl "-u= --since= -n= --no-pager -f -k" "$@" || return
  while [ $# -gt 0 ]; do
    if [ "$1" = -u ]; then all_of "$UNITS" unit "${2%.service}" || return; fi
    shift
  done
}
du() {
  as_root du || return
  check_options du "-xhd3" "$@" || return
  all_of " $LIVEKIT_DEPLOY_ROOT/opt $LIVEKIT_DEPLOY_ROOT/var /opt /var " folder "${words[@]}"
}
dig() {
  check_options dig "+short" "$@" || return
  [ "${words[0]}" = +short ] || refuse "dig $*" || return
  all_of "$NAMES" name "${words[1]}" || return
  all_of " A AAAA " "type of record" "${words[2]}" || return
  echo 203.0.113.5
}
curl() {
  check_options curl "-6 -f -s -S -I -fsS -sS -sSI -sSIX -o= -w= -X= -H= -d= --max-time=" "$@" || return
  local url=${words[0]} rest host
  rest=${url#https://}
  host=${rest%%/*}
  [ "$rest" != "$url" ] || refuse "curl $url: not https" || return
  case $rest in "$SITE/healthz") echo '{"status":"ok"}' && return ;; esac
  all_of "$NAMES" name "$host" || return
  case ${rest#"$host"} in
  / | '' | /call-evidence) echo OK ;;
  *) refuse "curl $url: nothing is known of this path" ;;
  esac
}
openssl() {
  if [ "$1" != s_client ]; then
    command openssl "$@"
    return
  fi
  check_options "openssl s_client" "-connect= -servername=" "${@:2}" || return
  all_of "$NAMES" name "${3%:443}" "$5" || return
  cat "$CERTIFICATE"
}
nc() {
  check_options nc "-vz -w=" "$@" || return
  all_of "$NAMES" name "${words[0]}" || return
  case $TCP_PORTS in *" ${words[1]} "*) ;; *) return 1 ;; esac
}
ss() {
  check_options ss "-lntup -ltnp -lnup" "$@" || return
  local port
  for port in $TCP_PORTS 5349; do echo "LISTEN 0 4096 *:$port *:*"; done
}
ufw() {
  as_root ufw || return
  local rule='^allow ([0-9]+(:[0-9]+)?/(tcp|udp)|from [0-9.]+ to any port [0-9]+ proto (tcp|udp))$'
  [[ $* =~ $rule || $* = "default deny incoming" || $* = enable ]] || refuse "ufw $*"
}
nft() {
  as_root nft || return
  case $* in "list table inet livekit" | "delete table inet livekit") ;; *) refuse "nft $*" ;; esac
}
# on_machine_only NAME WORD…: refuses a path outside the folder that plays the machine.
on_machine_only() {
  local name=$1 word
  shift
  for word; do
    case $word in "$LIVEKIT_DEPLOY_ROOT"/?*) ;; *) refuse "$name $word: this is not on the machine" || return ;; esac
  done
}
rm() {
  as_root rm || return
  check_options rm "-f -rf" "$@" || return
  on_machine_only rm "${words[@]}" && on_machine rm "$@"
}
find() {
  as_root find || return
  check_options find "-name= -delete" "$@" || return
  on_machine_only find "${words[@]}" && on_machine find "$@"
}
poweroff() { as_root poweroff; }
# A copy goes from here to the machine, or from there to here.
scp() {
  local there=$2
  case $1 in
  ubuntu@*) there=$1 ;;
  *) [ -s "$1" ] || refuse "scp: there is no file $1" || return ;;
  esac
  there=${there#ubuntu@}
  all_of "$NAMES" name "${there%%:*}" || return
  [ "$there" = "${2#ubuntu@}" ] || may_read scp "$LIVEKIT_DEPLOY_ROOT${there#*:}"
}
npm() {
  check_options npm "" "$@" || return
  [ "${words[0]}" = install ] || refuse "npm $*" || return
  all_of "$PACKAGES" "package among ours" "${words[@]:1}"
}
# With a command it runs that on the machine, and prints here what it says. A tunnel leads to a port of a service there.
ssh() {
  while :; do
    case $1 in
    -N) shift ;;
    -L)
      [[ $2 =~ ^127\.0\.0\.1:[0-9]+:127\.0\.0\.1:([0-9]+)$ ]] || refuse "ssh -L $2" || return
      all_of "$INTERNAL_PORTS" "port of a service" "${BASH_REMATCH[1]}" || return
      shift 2
      ;;
    *) break ;;
    esac
  done
  all_of "$NAMES" name "${1#ubuntu@}" || return
  [ $# = 1 ] || "${@:2}"
}
reboot() { as_root reboot; }
node() { [ -s "$1" ] || refuse "node: there is no file $1"; }
