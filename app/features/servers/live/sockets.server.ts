import * as z from "zod/mini";
import { closeCodes, liveProtocol, type PageNotification } from "~/features/servers/live/protocol";
import { countConnected } from "../state/server-table.server";
import { refuse, type Ticket, ticketHeader, ticketMs } from "./endpoint.server";

const maxPerPerson = 20;
const notifyEveryMs = 2_000;

const ticketForm = z.object({
  workspace: z.string(),
  session: z.string(),
  person: z.string(),
  madeAt: z.number(),
  ends: z.number(),
});

/** The attachment of a socket, which outlives the sleep of the object. `number` counts the sockets of a person, the oldest lowest. */
const attachment = z.extend(ticketForm, { number: z.number() });
type Attachment = z.infer<typeof attachment>;

/** Whose sockets are closed. */
export type Closed = { session: string } | { person: string } | "all";

/**
 * The sockets of the pages that show a fleet. They outlive the object's sleep: what is known of each is kept with the
 * socket itself. Which sessions and people were shut out is kept for as long as a ticket of theirs may live.
 */
export class Sockets {
  readonly #ctx: DurableObjectState;
  readonly #now: () => number;
  readonly #hasTables: () => boolean;
  readonly #changed = new Set<string>();
  readonly #reported = new Set<string>();
  #isWaiting = false;

  /** Without tables the fleet has no server, and nothing is written. */
  constructor(ctx: DurableObjectState, now: () => number, hasTables: () => boolean) {
    this.#ctx = ctx;
    this.#now = now;
    this.#hasTables = hasTables;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /** Answers a request that the endpoint has found to have a ticket of ours. */
  accept(request: Request): Response {
    const { data: ticket } = ticketForm.safeParse(
      JSON.parse(request.headers.get(ticketHeader) ?? "null"),
    );
    if (!ticket || !this.#holds(ticket)) {
      return refuse(401, "This ticket has ended. Load the page again.");
    }
    const numbered = this.#of(ticket.person)
      .map((socket) => ({ socket, number: attachedTo(socket)?.number ?? 0 }))
      .sort((one, other) => one.number - other.number);
    for (const { socket } of numbered.slice(0, Math.max(0, numbered.length + 1 - maxPerPerson))) {
      close(socket, closeCodes.replaced, "This person has 20 newer pages open");
    }
    const { 0: page, 1: socket } = new WebSocketPair();
    this.#ctx.acceptWebSocket(socket, [`person ${ticket.person}`, `session ${ticket.session}`]);
    const number = (numbered.at(-1)?.number ?? 0) + 1;
    socket.serializeAttachment({ ...ticket, number } satisfies Attachment);
    return new Response(null, {
      status: 101,
      webSocket: page,
      headers: { "sec-websocket-protocol": liveProtocol },
    });
  }

  /** Lets a socket live for as long as its newer ticket, which must be of the same session. */
  renew(socket: WebSocket, ticket: Ticket | undefined): void {
    const attached = attachedTo(socket);
    const isSame =
      ticket?.workspace === attached?.workspace &&
      ticket?.session === attached?.session &&
      ticket?.person === attached?.person;
    if (!ticket || !attached || !isSame || !this.#holds(ticket)) {
      close(socket, closeCodes.ended, "The ticket does not hold");
    } else socket.serializeAttachment({ ...attached, ...ticket } satisfies Attachment);
  }

  /** Closes a socket that sent something else than our pages do. */
  refuse(socket: WebSocket): void {
    close(socket, closeCodes.unknown, "This is nothing that a page says");
  }

  /** Answers the end that a page has begun. */
  left(socket: WebSocket): void {
    close(socket, 1000, "");
  }

  /** Closes sockets at once. Tickets that were made before open none any more. */
  close(which: Closed): void {
    const who = nameOf(which);
    if (this.#hasTables()) {
      const { sql } = this.#ctx.storage;
      const now = this.#now();
      sql.exec("delete from closed where at < ?", now - ticketMs);
      sql.exec("insert or replace into closed values (?, ?)", who, now);
    }
    const sockets = which === "all" ? this.#ctx.getWebSockets() : this.#ctx.getWebSockets(who);
    for (const socket of sockets) close(socket, closeCodes.closed, "The session has ended here");
  }

  /** Notifies every page, at most once in two seconds, that servers changed. */
  notify(server: string, isChanged: boolean): void {
    if (this.#ctx.getWebSockets().length === 0) return;
    (isChanged ? this.#changed : this.#reported).add(server);
    if (!this.#isWaiting) this.#push();
  }

  #push(): void {
    this.#isWaiting = this.#changed.size + this.#reported.size > 0;
    if (!this.#isWaiting) return;
    const text = JSON.stringify({
      changed: [...this.#changed],
      reported: [...this.#reported],
      servers: countConnected(this.#ctx.storage.sql),
    } satisfies PageNotification);
    this.#changed.clear();
    this.#reported.clear();
    const now = this.#now();
    for (const socket of this.#ctx.getWebSockets()) {
      const attached = attachedTo(socket);
      if (!attached || attached.ends <= now) {
        close(socket, closeCodes.ended, "The ticket has ended");
      } else send(socket, text);
    }
    setTimeout(() => this.#push(), notifyEveryMs);
  }

  #of(person: string): WebSocket[] {
    return this.#ctx.getWebSockets(nameOf({ person }));
  }

  #holds({ session, person, madeAt, ends }: Ticket): boolean {
    if (ends <= this.#now()) return false;
    if (!this.#hasTables()) return true;
    const who = [nameOf("all"), nameOf({ session }), nameOf({ person })];
    const shut = this.#ctx.storage.sql.exec(
      "select 1 from closed where who in (?, ?, ?) and at >= ?",
      ...[...who, madeAt],
    );
    return shut.toArray().length === 0;
  }
}

/** Also the tag of its sockets. */
function nameOf(which: Closed): string {
  if (which === "all") return "all";
  return "session" in which ? `session ${which.session}` : `person ${which.person}`;
}

function attachedTo(socket: WebSocket): Attachment | undefined {
  return attachment.safeParse(socket.deserializeAttachment()).data;
}

/** A socket whose page is gone throws. */
function send(socket: WebSocket, text: string): void {
  try {
    socket.send(text);
  } catch {
    // Its `webSocketClose` follows.
  }
}

function close(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // It is closed already.
  }
}
