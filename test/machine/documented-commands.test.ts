import { expect, test, vi } from "vitest";
import { findings } from "~/features/deployments/bundle/findings.ts";
import { bundle } from "../support/deployments/bundle.ts";
import { optionsFrom } from "../support/deployments/bundle-cases.ts";
import {
  codeBlocks,
  documentedPages,
  inlineCommands,
} from "../support/documentation/code-blocks.ts";
import {
  deploymentOfThePages,
  untrueCommands,
} from "../support/documentation/documented-deployment.ts";

vi.setConfig({ testTimeout: 60_000 });

const blocks = documentedPages.flatMap(codeBlocks);
/**
 * These have tests of their own: unit/audit/command-line, machine/cluster/operator,
 * machine/connected/connect-layouts, and unit/documentation/documented-kubernetes.
 */
const pagesOfOtherMachines = [
  "docs/audit",
  "docs/clusters",
  "docs/command-line",
  "docs/connect-existing",
  "docs/kubernetes",
];
/** The machine of somebody who moves in: machine/move-in has these. */
const isOtherMachine = (label: string) => label.startsWith("On your machine");
/** Calls of the API are run at a site, by test/integration/api/documented-calls.test.ts. */
const shells = blocks.filter(
  ({ language, label, page }) =>
    language === "bash" &&
    label !== "With a token" &&
    !isOtherMachine(label) &&
    !pagesOfOtherMachines.includes(page),
);

/** What a page shows under the name of a file. */
const filesOn = (page: string) =>
  Object.fromEntries(
    blocks
      .filter((block) => block.page === page && /^[\w-]+\.(json|ts)$/.test(block.label))
      .map(({ label, text }) => [label, text]),
  );

/** Commands, and why each is refused. One that is not refused fails, as a file that there is not, or does what it says. */
const commands: readonly [command: string, refused: string | RegExp | undefined][] = [
  ["sudo livekit-deploy restart --now", undefined],
  ["sudo livekit-deploy reboot", "livekit-deploy reboot"],
  ["sudo livekit-deploy logs sfu", "there is no service sfu"],
  ["docker compose ps", "docker: not permitted without sudo"],
  ["sudo docker compose kill", /no such subcommand/],
  ["sudo systemctl restart livekit-sfu", "there is no unit livekit-sfu"],
  ["sudo reboot-now", "reboot-now: there is no such command"],
  ["sudo rm -rf data", "rm data: this is not on the machine"],
  ["dig +short sfu.example.com A", "there is no name sfu.example.com"],
  ["cat state/address.env", "cat state/address.env: not permitted without sudo"],
  ["cd state", "cd state: not permitted without sudo"],
  ["ls /opt/livekit/data/redis", "ls /opt/livekit/data/redis: not permitted without sudo"],
  ["grep -c . secrets.env", "grep secrets.env: not permitted without sudo"],
  [
    "scp ubuntu@livekit.example.com:/opt/livekit/out/a.mp4 .",
    "scp /opt/livekit/out/a.mp4: not permitted without sudo",
  ],
  [
    "ssh ubuntu@livekit.example.com ls -l /opt/livekit/out",
    "ls /opt/livekit/out: not permitted without sudo",
  ],
  ["sudo cat state/address.env secrets.env", undefined],
  ["ls data", undefined],
  ["cat livekit.yaml", undefined],
];
const notThere = "cat no-such-file";
const doesNotFail = "true # must fail";

test("a command that there is not, or that is asked for what there is not, is refused", () => {
  const lines = [...commands.map(([command]) => command), notThere, doesNotFail];
  const failing = commands.flatMap(([command, refused], index) =>
    refused === undefined ? [] : [`${index + 1} ${command}`],
  );
  const expected = [
    ...commands.flatMap(([, refused]) =>
      refused === undefined
        ? []
        : [typeof refused === "string" ? refused : expect.stringMatching(refused)],
    ),
    ...failing,
    `${lines.indexOf(notThere) + 1} ${notThere}`,
    `did not fail: ${doesNotFail}`,
  ];
  // After these lines comes what the commands themselves wrote.
  const output = untrueCommands(`${lines.join("\n")}\n`, {}, "opt/livekit").split("\n");
  expect(output.slice(0, expected.length)).toEqual(expected);
});

test("the steps for a leak replace every secret that signs tokens", () => {
  const steps = shells.find(({ label }) => label === "On the machine, after a leak")?.text;
  const before = "sudo grep -E '^(LIVEKIT_API|WEBHOOK)_' secrets.env | cut -d = -f 2 >old";
  const after = "sudo grep -F -f old secrets.env # must fail";
  const session = (done?: string) => `${before}\n${done}\n${after}\n`;
  expect(untrueCommands(session(steps), {}, "opt/livekit")).toBe("");
  for (const step of ["sed", "livekit-deploy rotate finish"]) {
    const without = steps?.replace(new RegExp(`^sudo ${step}.*$`, "m"), "");
    expect(untrueCommands(session(without), {}, "opt/livekit")).toMatch(/^did not fail/);
  }
});

/** Files that other programs of the machine may count on, so the page leaves them. */
const sharedFiles = ["/etc/docker/daemon.json", "/etc/apt/apt.conf.d/52livekit"];

test("the steps of the page about uninstalling leave nothing of the bundle on the machine", () => {
  const steps = shells
    .filter(({ page, label }) => page === "docs/uninstall" && label.startsWith("On the machine"))
    .map(({ text }) => text)
    .join("\n");
  const { files } = bundle(optionsFrom({ ...deploymentOfThePages, security: "high" }));
  const installed = files
    .flatMap((file) => file.installed?.path ?? [])
    .filter((path) => !sharedFiles.includes(path));
  // Where systemd has a unit without a user of its own keep what it stores.
  const stored = files.flatMap(({ content }) =>
    [...content.matchAll(/^StateDirectory=(\S+)$/gm)].map(([, name]) => `/var/lib/private/${name}`),
  );
  expect(installed.length).toBeGreaterThan(30);
  expect(stored).toHaveLength(1);
  const gone = [...installed, ...stored].map((path) => `sudo ls ${path} # must fail`).join("\n");
  expect(untrueCommands(`${steps}\n${gone}\n`, {})).toBe("");
  expect(untrueCommands(`${gone}\n`, {})).toMatch(/^did not fail/);
});

/** The blocks that are read one after the other, by where they are. */
const sessions = [...Map.groupBy(shells, ({ session }) => session).values()].map((session) => {
  const [file = ""] = session.map(({ place }) => place.split(":")[0]);
  const lines = session.map(({ place }) => place.split(":")[1]).join(", ");
  return [`${file}:${lines}`, session] as const;
});

test.each(sessions)(
  "the commands at %s do what the page says on the machine that is made",
  (_, session) => {
    const [page = ""] = session.map((block) => block.page);
    expect(untrueCommands(session.map(({ text }) => text).join("\n"), filesOn(page))).toBe("");
  },
);

// The commands of rollouts are for a connected machine: machine/rollouts has those.
test.each(
  documentedPages.filter(
    (page) =>
      page.startsWith("docs/") && page !== "docs/rollouts" && inlineCommands(page).length > 0,
  ),
)("the commands in the sentences of %s do so too", (page) => {
  const session = inlineCommands(page).join("\n");
  expect(untrueCommands(session, filesOn(page), "opt/livekit")).toBe("");
});

/** What a report may say in the places of the advice, and a file that is there. */
const filledIn = (next: string) =>
  next.replaceAll("{subject}", "livekit").replaceAll(/ ?\{wanted\}/g, "");
/** The commands of the advice, but for those that need something of the reader's. */
const advised = Object.values(findings).flatMap(({ next }) =>
  filledIn(next)
    .split("`")
    .filter(
      (piece, at) =>
        at % 2 === 1 &&
        piece.startsWith("sudo ") &&
        !/[A-Z]{3}|set |update|restore|certificate|backup-test|first-boot|reboot|chmod/.test(piece),
    ),
);

test("the advice for what the doctor finds is commands of the machine that is made, with sudo (M6)", () => {
  expect(advised.length).toBeGreaterThan(20);
  expect(untrueCommands(`${[...new Set(advised)].join("\n")}\n`, {}, "opt/livekit")).toBe("");
});
