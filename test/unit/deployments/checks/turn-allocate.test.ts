import fc from "fast-check";
import { expect, test } from "vitest";
import {
  allocateRequest,
  readAllocateAnswer,
} from "~/features/deployments/checks/turn-allocate.ts";

const transaction = new Uint8Array(12).map((_, at) => at + 1);

/** What LiveKit 1.13.5 answered to an Allocate without credentials, with this transaction in it. */
const attribute = (type: number, value: Buffer) => {
  const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  padded.writeUInt16BE(type, 0);
  padded.writeUInt16BE(value.length, 2);
  value.copy(padded, 4);
  return padded;
};
const unauthorized = attribute(9, Buffer.from([0, 0, 4, 1]));
const nonce = attribute(0x15, Buffer.from("d0cb2f5"));
const realm = attribute(0x14, Buffer.from("livekit"));

function answer(attributes: Buffer[], { type = 0x0113, of = transaction } = {}): Buffer {
  const body = Buffer.concat(attributes);
  const header = Buffer.alloc(20);
  header.writeUInt16BE(type, 0);
  header.writeUInt16BE(body.length, 2);
  header.writeUInt32BE(0x2112a442, 4);
  Buffer.from(of).copy(header, 8);
  return Buffer.concat([header, body]);
}

test("the request is the one that LiveKit's TURN answers", () => {
  expect(Buffer.from(allocateRequest(transaction)).toString("hex")).toBe(
    "000300082112a4420102030405060708090a0b0c0019000411000000",
  );
});

test("401 with a realm is a TURN server, in however many packets it comes", () => {
  const whole = answer([unauthorized, nonce, realm]);
  expect(readAllocateAnswer(whole, transaction)).toBe("turn");
  for (let length = 0; length < whole.length; length += 1) {
    expect(readAllocateAnswer(whole.subarray(0, length), transaction)).toBe("more");
  }
});

test.for([
  ["a web server", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ["a STUN server, which answers a Binding", answer([realm], { type: 0x0101 })],
  ["401 without a realm", answer([unauthorized, nonce])],
  ["401 with an empty realm", answer([unauthorized, attribute(0x14, Buffer.alloc(0))])],
  ["403 with a realm", answer([attribute(9, Buffer.from([0, 0, 4, 3])), realm])],
  ["an answer to somebody else", answer([unauthorized, realm], { of: new Uint8Array(12) })],
  [
    "an attribute that is longer than the answer",
    answer([unauthorized, Buffer.from([0, 0x14, 0, 9])]),
  ],
] as const)("it is no TURN server: %s", ([, bytes]) => {
  expect(readAllocateAnswer(bytes, transaction)).toBe("other");
});

test("no bytes make it throw, and none but an answer with a realm are taken for TURN", () => {
  const whole = answer([unauthorized, nonce, realm]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(whole.length), (tail, length) => {
      const bytes = new Uint8Array([...whole.subarray(0, length), ...tail]);
      const read = readAllocateAnswer(bytes, transaction);
      if (length < whole.length && !Buffer.from(bytes).includes(Buffer.from([0, 0x14])))
        expect(read).not.toBe("turn");
    }),
    { numRuns: 500 },
  );
});
