#!/bin/sh
# Creates firewall, address and machine for @DOMAIN@ on @PROVIDER@, with @TOOL@, which must be logged in.
# What exists already is kept, so it can be run again after a failure.
set -eu
NAME=@NAME@
REGION=@REGION@
SIZE=@SIZE@
#if DISK
DISK_GB=@DISK_GB@
#end
folder=$(cd "$(dirname "$0")" && pwd)
USER_DATA=${USER_DATA:-$folder/cloud-init.yaml}

need() { [ -n "$2" ] || { echo "Set $1 first: $3" >&2; exit 64; }; }
command -v @TOOL@ >/dev/null || { echo "@TOOL@ is not installed." >&2; exit 69; }
[ -r "$USER_DATA" ] || { echo "$USER_DATA cannot be read." >&2; exit 66; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
#if PACKED
@PACK_USER_DATA@
#end
# shellcheck source=create-vm/aws.sh
. "./create-vm/$PROVIDER.sh"

echo "The machine runs at @ADDRESS@. Set these DNS records now:"
@RECORDS@
#if BY_SSH
# shellcheck source=create-vm/copy-files.sh
. "./create-vm/copy-files.sh"
#end
echo "Then log in with '@LOGIN@', wait with 'cloud-init status --wait', and run 'sudo livekit-deploy doctor'."
