import {
  closeCodes,
  liveProtocol,
  mayConnect,
  type PageNotification,
  readPageNotification,
} from "./protocol";

/** `off`: no socket can be had here, so the page is read again now and then. `lost`: one is tried again. */
export type LiveState = "connecting" | "live" | "lost" | "off";

const pingEveryMs = 20_000;
const pongWithinMs = 10_000;
/** Before the ticket of a minute ends. Each reading brings a new one. */
const renewEveryMs = 40_000;
const readWhileOffMs = 30_000;
const maxWaitMs = 30_000;

type Page = {
  /** Undefined where there is no fleet. */
  url: string | undefined;
  ticket: string | undefined;
  /** Reads the page again, and answers whether it could be read. */
  read: () => Promise<boolean>;
  onState: (state: LiveState) => void;
  /** After how many milliseconds a notification has the page read again; undefined where it is about other pages. */
  pauseFor: (notification: PageNotification) => number | undefined;
};

/**
 * The one socket of a page. Only a page that somebody may see has one: a hidden page lets go of it, and is read again
 * when it comes back. After a loss it waits longer each time, reads the page, and opens a socket with the ticket that
 * came with it.
 */
export class LiveConnection {
  readonly #page: Page;
  #ticket: string | undefined;
  #socket: WebSocket | undefined;
  #tries = 0;
  /** How often in a row the page could not be read. */
  #failures = 0;
  #wantsTicket = false;
  /** Whether nobody sees the page: it is hidden, or somebody went on to another. A reading may still be under way then. */
  #isUnseen = document.visibilityState === "hidden";
  #readAt = Date.now();
  #reading: Promise<boolean> | undefined;
  /** Whether the page was to be read once more while a reading was under way, which may have missed what changed. */
  #isToReadAgain = false;
  readonly #timers = new Map<"again" | "read" | "ping" | "pong", ReturnType<typeof setTimeout>>();

  constructor(page: Page) {
    this.#page = page;
    this.#ticket = page.ticket;
    if (!this.#isUnseen) this.#connect();
    document.addEventListener("visibilitychange", this.#onVisibility);
    addEventListener("offline", this.#onOffline);
    addEventListener("online", this.#onOnline);
  }

  /** A newer ticket, which came with a reading. */
  renew(ticket: string): void {
    if (ticket === this.#ticket) return;
    this.#ticket = ticket;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(`renew ${ticket}`);
    else if (this.#wantsTicket) this.#connect();
  }

  end(): void {
    document.removeEventListener("visibilitychange", this.#onVisibility);
    removeEventListener("offline", this.#onOffline);
    removeEventListener("online", this.#onOnline);
    this.#isUnseen = true;
    this.#letGo();
  }

  readonly #onVisibility = () => {
    this.#isUnseen = document.visibilityState === "hidden";
    if (this.#isUnseen) {
      this.#letGo();
      return;
    }
    this.#tries = 0;
    this.#again(0);
  };

  readonly #onOffline = () => {
    this.#letGo();
    if (!this.#isUnseen) this.#lost();
  };

  readonly #onOnline = () => {
    if (!this.#isUnseen && !this.#socket) this.#again(0);
  };

  #connect(): void {
    this.#wantsTicket = false;
    this.#stop("again");
    const { url } = this.#page;
    if (!url || !this.#ticket || !allowsSockets()) {
      this.#off();
      return;
    }
    const socket = new WebSocket(url, [liveProtocol, this.#ticket]);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#tries = 0;
      this.#page.onState("live");
      this.#readLater(renewEveryMs);
      this.#after("ping", pingEveryMs, () => this.#ping());
    });
    socket.addEventListener("message", ({ data }) => {
      if (data === "pong") this.#pong();
      const notification = readPageNotification(String(data));
      const pause = notification && this.#page.pauseFor(notification);
      if (pause !== undefined) this.#readLater(Math.max(0, this.#readAt + pause - Date.now()));
    });
    socket.addEventListener("close", ({ code }) => {
      if (this.#socket !== socket) return;
      this.#letGo();
      if (code === closeCodes.replaced) this.#off();
      // What this session may see is another now, or its ticket was too old: the next reading says which.
      else if (code === closeCodes.closed || code === closeCodes.ended) this.#again(0);
      else this.#lost();
    });
  }

  #ping(): void {
    this.#socket?.send("ping");
    this.#after("pong", pongWithinMs, () => {
      this.#letGo();
      this.#lost();
    });
  }

  #pong(): void {
    this.#stop("pong");
    this.#after("ping", pingEveryMs, () => this.#ping());
  }

  #lost(): void {
    this.#page.onState("lost");
    this.#tries += 1;
    this.#again(waitBefore(this.#tries));
  }

  #off(): void {
    this.#page.onState("off");
    this.#readLater(readWhileOffMs);
  }

  /** Reads the page after a while, and opens a socket with the ticket that comes with it. */
  #again(wait: number): void {
    this.#after("again", wait, async () => {
      this.#wantsTicket = true;
      if (!(await this.#read())) this.#lost();
      // Where no ticket comes, the page cannot be live for now.
      else if (this.#wantsTicket) this.#again(maxWaitMs);
    });
  }

  #readLater(wait: number): void {
    this.#after("read", wait, async () => {
      await this.#read();
      if (this.#timers.has("read")) return;
      const pause = this.#socket ? renewEveryMs : readWhileOffMs;
      this.#readLater(this.#failures > 0 ? waitBefore(this.#failures) : pause);
    });
  }

  /** Whether the page shows what is so now, as far as is known. Where a reading is under way, another one follows it. */
  #read(): Promise<boolean> {
    if (this.#reading) this.#isToReadAgain = true;
    else {
      this.#reading = this.#readUntilNewest().finally(() => {
        this.#reading = undefined;
      });
    }
    return this.#reading;
  }

  async #readUntilNewest(): Promise<boolean> {
    do {
      this.#isToReadAgain = false;
      this.#readAt = Date.now();
      this.#failures = (await this.#page.read()) ? 0 : this.#failures + 1;
      // One that failed is tried again by its caller, after a pause.
    } while (this.#isToReadAgain && this.#failures === 0);
    return this.#failures === 0;
  }

  #letGo(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isToReadAgain = false;
    this.#wantsTicket = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    socket?.close(1000);
  }

  #after(name: "again" | "read" | "ping" | "pong", wait: number, work: () => void): void {
    this.#stop(name);
    if (this.#isUnseen) return;
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      work();
    }, wait);
    this.#timers.set(name, timer);
  }

  #stop(name: "again" | "read" | "ping" | "pong"): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}

/**
 * Whether the content policy of this document allows the socket. A browser keeps the one of the page that was loaded
 * while the router shows others in it: workers/headers/security-headers.ts.
 */
function allowsSockets(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return loaded !== undefined && mayConnect(new URL(loaded.name).pathname);
}

/** The pause before a try after so many in vain, in milliseconds. Pages that lost the same Worker do not come back at once. */
function waitBefore(tries: number): number {
  const wait = Math.min(maxWaitMs, 1_000 * 2 ** (tries - 1));
  return wait * (0.5 + Math.random() / 2);
}
