// A socket of a Worker does not show its peer's certificate. In TLS 1.2 a server sends it in clear, so a ClientHello of
// our own that knows no newer version is enough to read when it ends (RFC 5246, RFC 5280). It proves nothing about trust.

const extension = (type: number, data: readonly number[]) => [...uint16(type), ...long16(data)];
const uint16 = (value: number): number[] => [value >> 8, value & 0xff];
const long16 = (data: readonly number[]) => [...uint16(data.length), ...data];

/** Suites of ECDHE and RSA that servers of TLS 1.2 have. */
const suites = [
  0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc009, 0xc013, 0xc00a, 0xc014, 0x009c, 0x002f,
];
const groups = [0x001d, 0x0017, 0x0018];
const signatures = [0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601];

/** The ClientHello for a name; `random` are 32 bytes. */
export function clientHello(name: string, random: Uint8Array): Uint8Array<ArrayBuffer> {
  const host = [...new TextEncoder().encode(name)];
  const extensions = [
    ...extension(0x0000, long16([0, ...long16(host)])),
    ...extension(0x000a, long16(groups.flatMap(uint16))),
    ...extension(0x000b, [1, 0]),
    ...extension(0x000d, long16(signatures.flatMap(uint16))),
    ...extension(0xff01, [0]),
  ];
  const hello = [
    ...[3, 3, ...random, 0],
    ...long16(suites.flatMap(uint16)),
    ...[1, 0],
    ...long16(extensions),
  ];
  const message = [1, 0, ...long16(hello)];
  return new Uint8Array([22, 3, 1, ...long16(message)]);
}

/** When the certificate ends, in milliseconds since 1970; `more`: it has not arrived yet. */
export type CertificateEnd = { ends: number } | "more" | "none";

const handshake = 22;
const certificateMessage = 11;
const maxRecord = 2 ** 14 + 2_048;

/** What a server answered a ClientHello so far. Whatever the bytes are, it reads none beyond them and does not throw. */
export function certificateEnd(bytes: Uint8Array): CertificateEnd {
  const messages: number[] = [];
  let isWhole = false;
  for (let at = 0; ; ) {
    if (at + 5 > bytes.length) break;
    const [type = 0, major = 0] = bytes.subarray(at);
    const length = number(bytes, at + 3, 2);
    if (type !== handshake || major !== 3 || length > maxRecord) {
      isWhole = true;
      break;
    }
    const record = bytes.subarray(at + 5, at + 5 + length);
    messages.push(...record);
    if (record.length < length) break;
    at += 5 + length;
  }
  return inMessages(new Uint8Array(messages)) ?? (isWhole ? "none" : "more");
}

/** Undefined where no Certificate message has arrived whole. */
function inMessages(bytes: Uint8Array): CertificateEnd | undefined {
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = number(bytes, at + 1, 3);
    const body = bytes.subarray(at + 4, at + 4 + length);
    if (body.length < length) return;
    if (bytes[at] === certificateMessage) {
      const size = number(body, 3, 3);
      const first = body.subarray(6, 6 + size);
      const ends = size > 0 && first.length === size ? endOf(first) : undefined;
      return ends === undefined ? "none" : { ends };
    }
    at += 4 + length;
  }
}

type Element = { tag: number; content: Uint8Array; rest: Uint8Array };

const sequence = 0x30;
const version = 0xa0;

/** notAfter of a certificate in DER. */
function endOf(certificate: Uint8Array): number | undefined {
  const signed = inside(inside(certificate));
  if (!signed) return;
  const first = element(signed);
  const serial = first?.tag === version ? element(first.rest) : first;
  const algorithm = serial && element(serial.rest);
  const issuer = algorithm && element(algorithm.rest);
  const validity = issuer && element(issuer.rest);
  if (validity?.tag !== sequence) return;
  const begins = element(validity.content);
  const ends = begins && element(begins.rest);
  return ends && timeOf(ends);
}

function inside(bytes: Uint8Array | undefined): Uint8Array | undefined {
  const outer = bytes && element(bytes);
  return outer?.tag === sequence ? outer.content : undefined;
}

/** The first element of some DER; undefined where it is not whole. */
function element(bytes: Uint8Array): Element | undefined {
  const [tag, short] = bytes;
  if (tag === undefined || short === undefined) return;
  const digits = short < 0x80 ? 0 : short & 0x7f;
  // Four bytes of length and more, or a length that is not given, are no certificate's.
  if (short >= 0x80 && (digits === 0 || digits > 3 || bytes.length < 2 + digits)) return;
  const length = digits === 0 ? short : number(bytes, 2, digits);
  const start = 2 + digits;
  if (start + length > bytes.length) return;
  return {
    tag,
    content: bytes.subarray(start, start + length),
    rest: bytes.subarray(start + length),
  };
}

const shortTime = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;
const longTime = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;

/** UTCTime has two digits of the year, of 1950 to 2049; GeneralizedTime has four. */
function timeOf({ tag, content }: Element): number | undefined {
  if (tag !== 0x17 && tag !== 0x18) return;
  if (content.length > 15) return;
  const isShort = tag === 0x17;
  const found = (isShort ? shortTime : longTime).exec(String.fromCharCode(...content));
  if (!found) return;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map(Number);
  const whole = isShort ? year + (year < 50 ? 2_000 : 1_900) : year;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
    return;
  const time = Date.UTC(whole, month - 1, day, hour, minute, second);
  return Number.isNaN(time) ? undefined : time;
}

/** A number of so many bytes, the greatest first; bytes that are not there count as zero. */
function number(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let each = 0; each < size; each += 1) value = value * 256 + (bytes[at + each] ?? 0);
  return value;
}
