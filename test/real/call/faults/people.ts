// People with a Chromium each at their place, in a customer's app with the script for evidence.
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { inject } from "vitest";
import { domain, turnName } from "../server-network.ts";
import { address, type Client, spaceOf } from "./places.ts";

export const appSource = `
import { Room } from "livekit-client";
import { callEvidence } from ${JSON.stringify(resolve("packages/call-evidence/call-evidence.ts"))};
window.join = async ({ token, relay, silent, camera }) => {
  const room = new Room();
  const evidence = callEvidence(room, { url: "https://${turnName}/call-evidence", token, sdk: "js 2.23.0" });
  window.leave = () => room.disconnect().then(() => {});
  window.sentPackets = async () => {
    const stats = await room.engine.pcManager.publisher.getStats();
    return [...stats.values()].reduce((sum, { type, packetsSent }) => sum + (type === "outbound-rtp" ? packetsSent : 0), 0);
  };
  window.mute = () => room.localParticipant.setMicrophoneEnabled(false).then(() => {});
  try {
    const rtcConfig = relay ? { iceTransportPolicy: "relay" } : {};
    await room.connect("wss://${domain}", token, { maxRetries: 0, rtcConfig });
  } catch (error) {
    evidence.failed(error);
    return String(error);
  }
  if (!silent) await room.localParticipant.setMicrophoneEnabled(true).catch(() => {});
  if (camera) await room.localParticipant.setCameraEnabled(true).catch(() => {});
  return "joined";
};`;

const flags = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
];

/** What of a browser is another than usual. */
export type Kind = {
  /** Whether camera and microphone are refused, or not there. */
  devices?: "refused" | "none";
  /** Where names lead: null where they do not exist, "system" where their own system says it. */
  names?: Partial<Record<"domain" | "turn", string | null>>;
};

export type People = ReturnType<typeof startPeople>;
export type Person = Awaited<ReturnType<People["open"]>>;

export function startPeople({
  folder,
  trusted,
  script,
}: {
  folder: string;
  trusted: string;
  script: string;
}) {
  const browsers = new Map<string, Promise<Browser>>();

  /** A program that starts Chromium there. */
  function executableAt(place: Client): string {
    const file = join(folder, `chromium-${place}`);
    writeFileSync(
      file,
      `#!/bin/sh\nexec ip netns exec ${spaceOf(place)} '${inject("chromium")}' "$@"\n`,
    );
    chmodSync(file, 0o700);
    return file;
  }

  const optionsOf = (place: Client, { devices, names = {} }: Kind) => {
    const leads = ([name, to]: [string, string | null]) => `MAP ${name} ${to ?? "~NOTFOUND"}`;
    const { domain: first = address.server, turn = address.server } = names;
    const both: [string, string | null][] = [
      [domain, first],
      [turnName, turn],
    ];
    const bySystem = both.flatMap(([name, to]) => (to === "system" ? [name] : []));
    const rules = both.filter(([, to]) => to !== "system").map(leads);
    const excluded = ["localhost", "127.0.0.1", ...Object.values(address), ...bySystem];
    return {
      executablePath: executableAt(place),
      args: [
        ...flags,
        `--host-resolver-rules=${[...rules, "MAP * ~NOTFOUND", ...excluded.map((each) => `EXCLUDE ${each}`)].join(", ")}`,
        `--ignore-certificate-errors-spki-list=${trusted}`,
        ...(devices === "none" ? [] : ["--use-fake-device-for-media-stream"]),
        `--use-fake-ui-for-media-stream${devices === "refused" ? "=deny" : ""}`,
      ],
    };
  };

  function browserAt(place: Client, kind: Kind): Promise<Browser> {
    const key = JSON.stringify([place, kind]);
    const browser = browsers.get(key) ?? chromium.launch(optionsOf(place, kind));
    browsers.set(key, browser);
    return browser;
  }

  async function pageIn(browser: Browser): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    await page.route("http://localhost/**", (route) =>
      route.request().url().endsWith("/app.js")
        ? route.fulfill({ contentType: "text/javascript", body: script })
        : route.fulfill({
            contentType: "text/html",
            body: '<!doctype html><script type="module" src="/app.js"></script>',
          }),
    );
    await page.goto("http://localhost/");
    await page.waitForFunction(() => Reflect.has(window, "join"));
    return page;
  }

  return {
    /** Somebody has the app open. */
    open: async (place: Client, kind: Kind = {}) =>
      personAt(await pageIn(await browserAt(place, kind))),
    /** The same in a browser of their own, which can be killed. */
    async openAlone(place: Client) {
      const server = await chromium.launchServer(optionsOf(place, {}));
      const browser = await chromium.connect(server.wsEndpoint());
      const person = personAt(await pageIn(browser));
      return { ...person, killBrowser: () => server.kill() };
    },
    async [Symbol.asyncDispose]() {
      for (const browser of browsers.values()) await (await browser).close();
    },
  };
}

export type JoinOptions = { relay?: boolean; silent?: boolean; camera?: boolean };

function personAt(page: Page) {
  const call = <Result = unknown>(name: "leave" | "mute" | "sentPackets") =>
    page.evaluate((each) => (Reflect.get(window, each) as () => Promise<Result>)(), name);
  return {
    page,
    /** "joined", or what the app says instead. */
    join: (token: string, options: JoinOptions = {}): Promise<string> =>
      page.evaluate(
        (given) => (Reflect.get(window, "join") as (given: object) => Promise<string>)(given),
        { token, ...options },
      ),
    leave: () => call("leave"),
    mute: () => call("mute"),
    /** How many packets of sound and picture they have sent. */
    sentPackets: () => call<number>("sentPackets"),
    async reload() {
      await page.reload();
      await page.waitForFunction(() => Reflect.has(window, "join"));
    },
    close: () => page.context().close(),
  };
}
