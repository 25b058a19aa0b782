import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import PostalMime from "postal-mime";

export interface SunkMail {
  to: string;
  subject: string;
  html: string;
  text: string;
}

/** A mail server on 127.0.0.1 that takes every mail and hands it over. Without TLS or a password. */
export async function startMailSink(port: number, take: (mail: SunkMail) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => undefined));
    converse(socket, take).catch(() => socket.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** One session of RFC 5321, as far as a client needs it that sends one mail after another. */
async function converse(socket: Socket, take: (mail: SunkMail) => void): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let recipients: string[] = [];
  let message: string[] | undefined;
  say("220 sink");
  for await (const line of createInterface({
    input: socket,
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (message && line !== ".") {
      message.push(line.replace(/^\./, ""));
      continue;
    }
    if (message) {
      const { subject = "", html = "", text = "" } = await PostalMime.parse(message.join("\r\n"));
      for (const to of recipients) take({ to, subject, html, text });
      message = undefined;
      recipients = [];
      say("250 taken");
      continue;
    }
    const [verb = ""] = line.toUpperCase().split(" ");
    if (verb === "RCPT") recipients.push(/<([^>]*)>/.exec(line)?.[1] ?? "");
    if (verb === "DATA") message = [];
    if (verb === "RSET") recipients = [];
    say(verb === "DATA" ? "354 go on" : verb === "QUIT" ? "221 bye" : "250 sink");
    if (verb === "QUIT") socket.end();
  }
}
