// The user data of a kilobyte: which files it takes from the console, and what it says where it takes none.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { archiveOf } from "~/features/deployments/bundle/archive.ts";
import { writtenFiles as filesOf } from "~/features/deployments/bundle/files/cloud-init.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { textOf, writtenFiles } from "../../support/deployments/bundle-checks.ts";
import { type Console, refusing, token } from "../../support/deployments/console-machine.ts";
import { type ConsoleRequest, startConsole } from "../../support/deployments/console-server.ts";
import { machine } from "../../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const options = optionsFrom({ domain: "livekit.example.com", provider: "aws" });
const version = { deployment: "44444444-4444-4444-8444-444444444444", number: 3 };
const boot = "var/lib/cloud/scripts/per-boot/50-livekit";

function made({ url }: Pick<Console, "url">) {
  const files = bundle(options, undefined, { url, token, version });
  return {
    userData: textOf(files, "user-data.py"),
    cloudConfig: textOf(files, "cloud-init.yaml"),
    archive: archiveOf(filesOf(options, files.files)),
  };
}

/** A new machine that cloud-init gives this user data, on which a minute passes at once. */
function newMachine(userData: string) {
  const server = machine();
  const root = join(server.folder, "new");
  const here = userData
    .replace("/var/lib/cloud", `${root}/var/lib/cloud`)
    .replace('extractall("/")', `extractall("${root}")`)
    .replace("time.sleep(60)", "time.sleep(0)")
    .replace("os.execv(boot,[boot])", 'print("It starts.")');
  expect(here).toContain('print("It starts.")');
  server.write("../new/var/lib/cloud/scripts/per-boot/.keep", "");
  server.write("../new/part-001", here, 0o700);
  const run = (file: string) =>
    new Promise<{ status: number | null; output: string }>((resolve) => {
      const child = spawn(join(root, file), { env: { ...process.env, no_proxy: "*" } });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (text) => (output += text));
      child.on("close", (status) => resolve({ status, output }));
    });
  return {
    /** What the machine has, by its path there. */
    files: () =>
      new Map(
        readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !/^(\.keep|part-001)$/.test(entry.name))
          .map((entry) => {
            const path = join(entry.parentPath, entry.name);
            const mode = (statSync(path).mode & 0o777).toString(8).padStart(4, "0");
            return [path.slice(root.length), { mode, content: readFileSync(path, "utf8") }];
          }),
      ),
    hasFiles: () => existsSync(join(root, "opt")),
    firstBoot: () => run("part-001"),
    nextBoot: () => run(boot),
    [Symbol.dispose]: () => server[Symbol.dispose](),
  };
}

/** A console that answers each call in turn, and every one after them as the last. */
function startArchiveConsole(
  ...answers: ("right" | "changed" | "breaks-off" | "ended" | "other-release" | "other-page")[]
) {
  let archive: Uint8Array | undefined;
  let calls = 0;
  return startConsole((request: ConsoleRequest) => {
    expect(request).toMatchObject({ path: "/v1/archive", credential: token });
    const next = answers[Math.min(calls++, answers.length - 1)];
    if (next === "breaks-off") return "breaks-off";
    if (next === "ended") return refusing(410, "token-ended")();
    if (next === "other-release") return refusing(409, "archive-changed")();
    if (next === "other-page") return { status: 401, page: Uint8Array.from([0xff, 0xfe, 0x80]) };
    if (!archive) throw new Error("It has no address yet.");
    const page = Uint8Array.from(archive);
    if (next === "changed") page[page.length - 9] = (page[page.length - 9] ?? 0) ^ 1;
    return { page };
  }).then((started) => {
    archive = made(started).archive;
    return started;
  });
}

test("M5: a machine of the short user data is the same as of the whole, file by file and mode by mode", async () => {
  await using console = await startArchiveConsole("right");
  const { userData, cloudConfig } = made(console);
  using server = newMachine(userData);
  expect(await server.firstBoot()).toEqual({ status: 0, output: "It starts.\n" });
  const whole = writtenFiles(cloudConfig).map(
    ({ path, content, permissions = "0644" }) => [path, { mode: permissions, content }] as const,
  );
  expect(whole.length).toBeGreaterThan(30);
  expect(server.files()).toEqual(new Map(whole));
  const sha = /sha="([0-9a-f]{64})"/.exec(userData)?.[1];
  expect(console.requests.map(({ body }) => body)).toEqual([sha]);
});

test("M5: an archive with a changed byte is not unpacked, and the right one is taken at the next try", async () => {
  await using console = await startArchiveConsole("changed", "right");
  using server = newMachine(made(console).userData);
  expect(await server.firstBoot()).toEqual({
    status: 0,
    output: "Other files came than these. Next try in a minute.\nIt starts.\n",
  });
  await using wrong = await startArchiveConsole("changed");
  using never = newMachine(made(wrong).userData);
  const { status, output } = await never.firstBoot();
  expect(status).toBe(1);
  expect(output).toMatch(/\nNo files came\. The next boot tries again\.\n$/);
  expect(never.hasFiles()).toBe(false);
});

test("M5: an ended token is refused with the console's sentence, and asked for once in each boot", async () => {
  await using console = await startArchiveConsole("ended");
  using server = newMachine(made(console).userData);
  expect(await server.firstBoot()).toEqual({ status: 1, output: "What to do about it.\n" });
  expect(console.requests).toHaveLength(1);
  expect(server.hasFiles()).toBe(false);
  expect(await server.nextBoot()).toEqual({ status: 1, output: "What to do about it.\n" });
});

test("M5: while a release of ours makes other files it tries again, and says why", async () => {
  await using console = await startArchiveConsole("other-release", "right");
  using server = newMachine(made(console).userData);
  expect(await server.firstBoot()).toEqual({
    status: 0,
    output: "What to do about it. Next try in a minute.\nIt starts.\n",
  });
});

test("M5: a page of a proxy, in whatever bytes and with whatever status, is no end", async () => {
  await using console = await startArchiveConsole("other-page", "right");
  using server = newMachine(made(console).userData);
  const { status, output } = await server.firstBoot();
  expect(output).toMatch(/ Next try in a minute\.\nIt starts\.\n$/);
  expect(status).toBe(0);
});

test("M5: a lost answer burns nothing: it is asked for again, by the next boot too", async () => {
  await using console = await startArchiveConsole("breaks-off", "right");
  using server = newMachine(made(console).userData);
  const { status, output } = await server.firstBoot();
  expect(output).toMatch(
    /^Remote end closed connection without response Next try in a minute\.\nIt starts\.\n$/,
  );
  expect(status).toBe(0);
  await using later = await startArchiveConsole("ended", "right");
  using second = newMachine(made(later).userData);
  await second.firstBoot();
  expect(await second.nextBoot()).toEqual({ status: 0, output: "It starts.\n" });
  // From then on each boot starts what the archive brought.
  expect(second.files().get(`/${boot}`)?.content).toMatch(
    /^#!\/bin\/sh\nexec \/opt\/livekit\/bin\/first-boot\.sh --boot docker\.io /,
  );
});
