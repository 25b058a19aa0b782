import fc from "fast-check";
import { expect, test } from "vitest";
import { certificateEnd, clientHello } from "~/features/deployments/checks/client-hello.ts";
import { certificateOf, newAuthority } from "../../../../fakes/internet/authority.ts";

const authority = newAuthority();
const certificates = [Date.UTC(2027, 0, 31, 23, 59, 59), Date.UTC(2049, 11, 31)].map((ends) => {
  const { cert } = certificateOf(authority, ["rtc.example.com"], ends);
  return { ends, der: Buffer.from(cert.replaceAll(/-----[^-]+-----|\s/g, ""), "base64") };
});
const [{ ends, der }] = certificates as [(typeof certificates)[number]];

const size = (value: number, bytes: number) => {
  const written = Buffer.alloc(bytes);
  written.writeUIntBE(value, 0, bytes);
  return written;
};
const message = (type: number, body: Buffer) =>
  Buffer.concat([Buffer.from([type]), size(body.length, 3), body]);
const record = (type: number, body: Buffer) =>
  Buffer.concat([Buffer.from([type, 3, 3]), size(body.length, 2), body]);
const certificateMessage = (...chain: Buffer[]) => {
  const list = Buffer.concat(chain.map((each) => Buffer.concat([size(each.length, 3), each])));
  return message(11, Buffer.concat([size(list.length, 3), list]));
};
const serverHello = message(2, Buffer.alloc(70, 7));
const flight = (...chain: Buffer[]) => Buffer.concat([serverHello, certificateMessage(...chain)]);

test.each(certificates)("the end of the first certificate is read: $ends", (certificate) => {
  const bytes = record(22, flight(certificate.der, der));
  expect(certificateEnd(bytes)).toEqual({ ends: certificate.ends });
});

test("the answer may be cut into records and packets anywhere", () => {
  const messages = flight(der, der);
  const cuts = fc.array(fc.integer({ min: 1, max: messages.length - 1 }), { maxLength: 6 });
  fc.assert(
    fc.property(cuts, fc.nat(), (at, packet) => {
      const places = [0, ...at.toSorted((one, other) => one - other), messages.length];
      const records = places
        .slice(1)
        .map((end, index) => record(22, messages.subarray(places[index], end)));
      const bytes = Buffer.concat(records);
      expect(certificateEnd(bytes)).toEqual({ ends });
      const begun = certificateEnd(bytes.subarray(0, packet % bytes.length));
      expect([{ ends }, "more"]).toContainEqual(begun);
    }),
  );
});

test("what is no certificate is none, and what has not arrived is waited for", () => {
  expect(certificateEnd(new Uint8Array())).toBe("more");
  expect(certificateEnd(record(22, serverHello))).toBe("more");
  // An alert: handshake failure.
  expect(certificateEnd(record(21, Buffer.from([2, 40])))).toBe("none");
  expect(certificateEnd(Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"))).toBe("none");
  expect(certificateEnd(record(22, certificateMessage()))).toBe("none");
  expect(certificateEnd(record(22, certificateMessage(Buffer.from([0x30, 0x84, 1]))))).toBe("none");
});

test("no bytes make it throw or read beyond them", () => {
  const whole = record(22, flight(der));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const found = certificateEnd(bytes);
      expect(found === "more" || found === "none" || Number.isFinite(found.ends)).toBe(true);
    }),
  );
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(changes, fc.nat(whole.length), (changed, length) => {
      const bytes = new Uint8Array(whole);
      for (const [at, value] of changed) bytes[at] = value;
      const found = certificateEnd(bytes.subarray(0, length));
      expect(found === "more" || found === "none" || Number.isFinite(found.ends)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("the ClientHello says its lengths, the name and no version newer than TLS 1.2", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9-]{1,60}\.example\.com$/), (name) => {
      const hello = Buffer.from(clientHello(name, new Uint8Array(32).fill(9)));
      expect(hello.readUInt16BE(3)).toBe(hello.length - 5);
      expect(hello.readUIntBE(6, 3)).toBe(hello.length - 9);
      expect(hello.readUInt16BE(9)).toBe(0x0303);
      expect(hello.includes(Buffer.concat([size(name.length, 2), Buffer.from(name)]))).toBe(true);
      // supported_versions, in which a newer one would be offered.
      expect(hello.includes(Buffer.from([0, 0x2b]))).toBe(false);
    }),
    { numRuns: 50 },
  );
});
