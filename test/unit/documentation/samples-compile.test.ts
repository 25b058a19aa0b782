import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { docsPages } from "../../../app/content/reading.ts";
import {
  pageText,
  sampleCode,
  sampleFolder,
  samplesOf,
} from "../../support/documentation/samples.ts";

vi.setConfig({ testTimeout: 120_000 });

const pages = docsPages.map(({ to }) => to.slice("/docs/".length) || "overview");

/** What a reader has of their own, and samples import; the last one they copied from the page. */
const readersOwn = {
  "call-evidence.ts": sampleCode("call-evidence", "call-evidence.ts"),
  "session.ts": `import type { IncomingMessage } from "node:http";
export function signedIn(_: IncomingMessage): { id: string; name: string; room: string } | undefined {
  return undefined;
}
`,
  "calls.ts": `import type { WebhookEvent } from "livekit-server-sdk";
export async function handle(_: WebhookEvent): Promise<void> {}
`,
};

const compilerOptions = {
  target: "ES2024",
  lib: ["ES2024", "DOM", "DOM.Iterable"],
  types: ["node"],
  module: "ESNext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  skipLibCheck: true,
  noEmit: true,
};

/** What the compiler says of these files; nothing when they are right. */
async function complaints(files: Record<string, string>): Promise<string> {
  const config = { compilerOptions, include: Object.keys(files) };
  await using folder = await sampleFolder({
    ...readersOwn,
    ...files,
    "tsconfig.json": JSON.stringify(config),
  });
  const { stdout, stderr, error } = spawnSync(resolve("node_modules/.bin/tsc"), ["-p", "."], {
    cwd: folder.path,
    encoding: "utf8",
  });
  if (error) throw error;
  return stdout + stderr;
}

test("every TypeScript sample of the documentation fits the libraries that it imports", async () => {
  const samples = pages.flatMap((page) =>
    samplesOf(page)
      .filter(({ language }) => language === "typescript")
      .map(({ code }, at): [string, string] => [`${page}-${at}.ts`, code]),
  );
  expect(samples.length).toBeGreaterThan(6);
  expect(await complaints(Object.fromEntries(samples))).toBe("");
});

test("the page about webhooks lists exactly the events that LiveKit's library knows", async () => {
  const listed = [...pageText("webhooks").matchAll(/^\| `([a-z_]+)` +\|/gm)].map(
    ([, name]) => name,
  );
  const source = `import type { WebhookEventNames } from "livekit-server-sdk";
export const listed = ${JSON.stringify(listed)} as const satisfies WebhookEventNames[];
export const missing: Exclude<WebhookEventNames, "" | (typeof listed)[number]>[] = [];
const none: never[] = missing;
export default none;
`;
  expect(await complaints({ "events.ts": source })).toBe("");
});

test("every Python sample of the documentation is Python", () => {
  const samples = pages.flatMap((page) =>
    samplesOf(page).filter(({ language }) => language === "python"),
  );
  expect(samples.map(({ label }) => label)).toEqual([
    "livekit_token.py",
    "webhook_receiver.py",
    "agent.py",
  ]);
  for (const { label, code } of samples) {
    const check = "import sys; compile(sys.stdin.read(), sys.argv[1], 'exec')";
    const { status, stderr } = spawnSync("python3", ["-c", check, label], {
      input: code,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  }
});
