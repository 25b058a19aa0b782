# shellcheck shell=sh
# Nobody tells the public address: LiveKit asks STUN. Oracle's metadata tell private addresses only.
public_address() {
  return 1
}
