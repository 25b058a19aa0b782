// Only a TURN server refuses an Allocate without credentials by 401 with a realm (RFC 8656), so that is asked: a Binding is
// answered by any STUN server, and a connection that opens says only that Caddy is there.

const magic = [0x21, 0x12, 0xa4, 0x42];
const headerLength = 20;
const transactionLength = 12;
const allocateRefused = 0x0113;
const errorCode = 0x0009;
const realm = 0x0014;
/** REQUESTED-TRANSPORT: UDP. */
const transport = [0x00, 0x19, 0x00, 0x04, 17, 0, 0, 0];

/** An Allocate without credentials; `transaction` are 12 bytes. */
export function allocateRequest(transaction: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array([
    0x00,
    0x03,
    0x00,
    transport.length,
    ...magic,
    ...transaction,
    ...transport,
  ]);
}

/** What answered so far; `more`: it is not whole. Whatever the bytes are, it reads none beyond them and does not throw. */
export function readAllocateAnswer(
  bytes: Uint8Array,
  transaction: Uint8Array,
): "turn" | "other" | "more" {
  const begin = [allocateRefused >> 8, allocateRefused & 0xff];
  const isBegun = begin.every((byte, at) => at >= bytes.length || bytes[at] === byte);
  if (!isBegun) return "other";
  if (bytes.length < headerLength) return "more";
  const isOurs =
    magic.every((byte, at) => bytes[4 + at] === byte) &&
    transaction.length === transactionLength &&
    transaction.every((byte, at) => bytes[8 + at] === byte);
  if (!isOurs) return "other";
  const length = uint16(bytes, 2);
  if (bytes.length < headerLength + length) return "more";
  const attributes = bytes.subarray(headerLength, headerLength + length);
  let isUnauthorized = false;
  let hasRealm = false;
  for (let at = 0; at + 4 <= attributes.length; ) {
    const [type, size] = [uint16(attributes, at), uint16(attributes, at + 2)];
    const value = attributes.subarray(at + 4, at + 4 + size);
    if (value.length < size) return "other";
    // The number is the hundreds, in the lower bits of the third byte, and the rest.
    if (type === errorCode) isUnauthorized = ((value[2] ?? 0) & 7) === 4 && value[3] === 1;
    if (type === realm) hasRealm = size > 0;
    at += 4 + size + ((4 - (size % 4)) % 4);
  }
  return isUnauthorized && hasRealm ? "turn" : "other";
}

const uint16 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
