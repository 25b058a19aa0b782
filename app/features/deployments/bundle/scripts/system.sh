# shellcheck shell=sh
# The part of first-boot.sh and move-in.sh that knows which systems the files are for. It reads $SYSTEM and $release.
# shellcheck disable=SC2154 # It shares its variables with both.
# system_problem: prints why the files do not fit this system, if they do not.
system_problem() {
  case $SYSTEM:$release in
  ubuntu*:ubuntu-24.04 | ubuntu*:ubuntu-26.04 | ubuntu*:debian-12 | ubuntu*:debian-13 | amazon*:amzn-2023) return 0 ;;
  amazon*) files="Amazon Linux 2023" ;;
  *) files="Ubuntu 24.04 and 26.04, Debian 12 and 13" ;;
  esac
  name=$(os_release PRETTY_NAME)
  say "This is ${name:-an unknown system}; the files are for $files."
}
# os_release NAME: a value of /etc/os-release.
os_release() { sed -n "s/^$1=[\"']\{0,1\}\([^\"']*\).*/\1/p" "$ROOT/etc/os-release" 2>/dev/null | head -n 1; }
