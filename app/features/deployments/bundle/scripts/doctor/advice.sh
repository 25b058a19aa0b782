# shellcheck shell=sh
# shellcheck disable=SC2034 # doctor.sh reads what it sets.
# advice CODE: sets severity and next. One line for each finding of ../../findings.ts takes the place of the line below.
advice() {
  case $1 in
  @FINDINGS@) severity=warning next="" ;;
  esac
}
