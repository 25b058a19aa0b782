// Digital Ocean as a DNS provider, as far as lego asks it: records of example.com, which challtestsrv then answers.
import { createSocket } from "node:dgram";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** The token that changes records, and the port on which somebody says where the zone begins. */
export const dnsProvider = { token: "a-token-of-the-proof", port: 5300 };

/** The names of the records that were made, each with its last dot, by their ids. */
const records: string[] = [];

export async function digitalOcean(request: IncomingMessage, response: ServerResponse) {
  const path = "/v2/domains/example.com/records";
  if (request.headers.authorization !== `Bearer ${dnsProvider.token}`) {
    response
      .writeHead(401)
      .end(JSON.stringify({ id: "Unauthorized", message: "Unable to authenticate you" }));
  } else if (request.method === "POST" && request.url === path) {
    const { name, data } = JSON.parse(await text(request));
    await challenges("set-txt", { host: name, value: data });
    const id = records.push(name);
    response.writeHead(201).end(JSON.stringify({ domain_record: { id } }));
  } else if (request.method === "DELETE" && request.url?.startsWith(`${path}/`)) {
    await challenges("clear-txt", {
      host: records[Number(request.url.slice(path.length + 1)) - 1],
    });
    response.writeHead(204).end();
  } else response.writeHead(404).end(JSON.stringify({ id: "not_found", message: "No such page" }));
}

async function challenges(path: string, content: object): Promise<void> {
  const body = JSON.stringify(content);
  const { ok } = await fetch(`http://127.0.0.1:8055/${path}`, { method: "POST", body });
  if (!ok) throw new Error(`challtestsrv: ${path}`);
}

/** RFC 1035: example.com has a zone, and no other name has anything. challtestsrv knows no zones. */
export function answerZones(): void {
  const socket = createSocket("udp4");
  socket.on("message", (query, { address, port }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    const question = query.subarray(12, at + 5);
    const isZone =
      labels.join(".").toLowerCase() === "example.com" && query.readUInt16BE(at + 1) === 6;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(isZone ? 1 : 0, 6);
    // A start of authority: both names are the question's, and five numbers.
    const answer = Buffer.from(
      `c00c00060001${"0000003c"}0018c00cc00c${"0000003c".repeat(5)}`,
      "hex",
    );
    socket.send(Buffer.concat([header, question, ...(isZone ? [answer] : [])]), port, address);
  });
  socket.bind(dnsProvider.port);
}
