import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedEvent = { headers: IncomingHttpHeaders; body: string };

/** A customer's own receiver of webhooks. `answer` says with which status it answers what comes. */
export async function webhookReceiver() {
  const received: ReceivedEvent[] = [];
  const receiver = {
    received,
    answer: (_event: ReceivedEvent): number => 204,
    url: "",
    origin: "",
    /** The ids of what came, in order. */
    ids: () => received.map(({ headers }) => String(headers["webhook-id"])),
    close: () => new Promise((done) => server.close(done)),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const event = { headers: request.headers, body: Buffer.concat(chunks).toString() };
    received.push(event);
    response.writeHead(receiver.answer(event), { connection: "close" }).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  receiver.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  receiver.url = `${receiver.origin}/hooks`;
  return receiver;
}

/** Whether one of the signatures is by this secret, as the specification of Standard Webhooks says it. */
export function isSignedBy(secret: string, { headers, body }: ReceivedEvent): boolean {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const wanted = createHmac("sha256", key).update(signed).digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .some((each) => {
      const [version, signature = ""] = each.split(",");
      const found = Buffer.from(signature, "base64");
      return version === "v1" && found.length === wanted.length && timingSafeEqual(found, wanted);
    });
}
