/** Bodies as LiveKit's Agents SDKs send them: OTLP as protobuf, and MetricsRecordingHeader. */

type Value = string | number | boolean | { [key: string]: Value };

const bytes = (text: string) => Buffer.from(text, "utf8");

function varint(value: number | bigint): Buffer {
  const found: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  do {
    found.push(Number(left & 127n) | (left > 127n ? 128 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Buffer.from(found);
}

const number = (field: number, value: number | bigint) =>
  Buffer.concat([varint(field << 3), varint(value)]);
const part = (field: number, value: Buffer | string) => {
  const content = typeof value === "string" ? bytes(value) : value;
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
};
function fixed(field: number, value: bigint): Buffer {
  const content = Buffer.alloc(8);
  content.writeBigUInt64LE(value);
  return Buffer.concat([varint((field << 3) | 1), content]);
}
function double(field: number, value: number): Buffer {
  const content = Buffer.alloc(8);
  content.writeDoubleLE(value);
  return Buffer.concat([varint((field << 3) | 1), content]);
}

function anyValue(value: Value): Buffer {
  if (typeof value === "string") return part(1, value);
  if (typeof value === "boolean") return number(2, value ? 1 : 0);
  if (typeof value === "number")
    return Number.isInteger(value) ? number(3, value) : double(4, value);
  return part(6, Buffer.concat(attributes(1, value)));
}

const attributes = (field: number, values: Record<string, Value>): Buffer[] =>
  Object.entries(values).map(([key, value]) =>
    part(field, Buffer.concat([part(1, key), part(2, anyValue(value))])),
  );

const nanos = (ms: number) => BigInt(Math.round(ms)) * 1_000_000n;

/** A request with these items in one scope. */
const request = (scope: string, items: readonly Buffer[]) =>
  part(1, part(2, Buffer.concat([part(1, part(1, scope)), ...items.map((item) => part(2, item))])));

export type Span = {
  id: string;
  name: string;
  start: number;
  end: number;
  failed?: boolean;
  attributes: Record<string, Value>;
};

/** `id`: 16 hexadecimal digits. Times in ms. */
export const traces = (spans: readonly Span[]): Buffer =>
  request(
    "livekit-agents",
    spans.map((span) =>
      Buffer.concat([
        part(1, Buffer.alloc(16, 1)),
        part(2, Buffer.from(span.id, "hex")),
        part(5, span.name),
        fixed(7, nanos(span.start)),
        fixed(8, nanos(span.end)),
        ...attributes(9, span.attributes),
        ...(span.failed ? [part(15, number(3, 2))] : []),
      ]),
    ),
  );

export type LogRecord = { at: number; body: string; attributes: Record<string, Value> };

export const logs = (scope: string, records: readonly LogRecord[]): Buffer =>
  request(
    scope,
    records.map(({ at, body, attributes: of }) =>
      Buffer.concat([
        fixed(1, nanos(at)),
        part(3, "INFO"),
        part(5, anyValue(body)),
        ...attributes(6, of),
      ]),
    ),
  );

/** Sums, each with one point. */
export const metrics = (
  points: readonly { name: string; at: number; value: number; attributes: Record<string, Value> }[],
): Buffer =>
  request(
    "livekit-agents",
    points.map(({ name, at, value, attributes: of }) =>
      Buffer.concat([
        part(1, name),
        part(
          7,
          part(1, Buffer.concat([fixed(3, nanos(at)), double(4, value), ...attributes(7, of)])),
        ),
      ]),
    ),
  );

export function recordingHeader({
  room,
  job,
  start,
  duration,
  roomName,
  summary,
}: {
  room: string;
  job: string;
  start: number;
  duration: number;
  roomName: string;
  summary?: unknown;
}): Buffer {
  return Buffer.concat([
    part(1, room),
    number(3, duration),
    part(4, number(1, Math.floor(start / 1000))),
    part(6, roomName),
    part(8, job),
    ...(summary === undefined ? [] : [part(11, JSON.stringify(summary))]),
  ]);
}
