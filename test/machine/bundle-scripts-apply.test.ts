import { once } from "node:events";
import { unzipSync, zipSync } from "fflate";
import { expect, test, vi } from "vitest";
import { pinned } from "~/features/deployments/bundle/versions.ts";
import { zipOf } from "~/features/deployments/bundle/zip.ts";
import { bundle } from "../support/deployments/bundle.ts";
import { optionsFrom } from "../support/deployments/bundle-cases.ts";
import { type Machine, runningMachine } from "../support/deployments/machine.ts";
import { testInProof } from "../support/run/variants.ts";

vi.setConfig({ testTimeout: 120_000 });

const changed = {
  monitoring: "advanced",
  backups: { frequency: "daily" },
  extraDomains: ["livekit.example.org"],
};

type Files = Record<string, Uint8Array>;

/** A changed bundle as people download it, on the machine; `spoil` changes what is in it. */
function bring(
  server: Machine,
  options: Record<string, unknown> = changed,
  spoil?: (files: Files) => void,
) {
  const made = bundle(optionsFrom({ domain: "livekit.example.com", ...options }));
  const files = unzipSync(zipOf(made.files));
  spoil?.(files);
  server.write("new.zip", zipSync(files));
  return server.path("new.zip");
}

const text = (words: string) => new TextEncoder().encode(words);
const edit = (name: string, change: (words: string) => string) => (files: Files) => {
  const words = new TextDecoder().decode(files[`livekit/${name}`]);
  expect(change(words)).not.toBe(words);
  files[`livekit/${name}`] = text(change(words));
};

/** Whatever a bundle puts on a machine, by path. */
function filesOf(server: Machine): Record<string, string> {
  const made = bundle(optionsFrom({ domain: "livekit.example.com", ...changed }));
  return Object.fromEntries(
    made.files.flatMap(({ installed }) =>
      installed && server.has(installed.path)
        ? [[installed.path, `${server.mode(installed.path)} ${server.read(installed.path)}`]]
        : [],
    ),
  );
}

const stopped = (server: Machine) => /compose (stop|up)/.test(server.calls());

/** A machine on which nobody has to wait for the doctor's second look. */
function readyMachine(options: Record<string, unknown> = {}): Machine {
  const server = runningMachine(options);
  server.command("sleep", "");
  return server;
}

test("a changed bundle is taken: files, units, firewall and containers, and the secrets stay", () => {
  using server = readyMachine({ updates: "weekly" });
  // The images say that the tags which move have come as far as the new bundle.
  for (const component of ["livekit", "caddy", "redis"] as const)
    server.set(`label-${component}`, pinned[component].tag.replace(/^v|-alpine$/g, ""));
  const secrets = server.read("opt/livekit/secrets.env");
  const { status, output } = server.run("livekit-deploy", ["apply", bring(server)]);
  expect(output).toContain("The bundle is in use.");
  expect(status).toBe(0);
  const made = bundle(optionsFrom({ domain: "livekit.example.com", ...changed }));
  for (const { installed, content } of made.files)
    if (installed) expect(server.read(installed.path), installed.path).toBe(content);
  expect(server.read("opt/livekit/secrets.env")).toBe(secrets);
  expect(server.controlContent("running/prometheus")).toContain("prom/prometheus:");
  // A timer that the new bundle lacks is gone.
  expect(server.has("etc/systemd/system/livekit-update.timer")).toBe(false);
  const calls = server.calls();
  expect(calls).toContain("systemctl disable --now livekit-update.timer");
  expect(calls).toContain("systemctl restart livekit-backup.timer");
  const steps = [
    "systemd-run -q --unit=livekit-apply --collect --wait",
    "nft -c -f",
    "compose pull -q --policy missing",
    "docker run --rm -i --network none",
    "docker compose stop livekit",
    "systemctl daemon-reload",
    "systemctl reload-or-restart livekit-firewall.service",
    "docker compose up -d",
  ].map((step) => calls.indexOf(step));
  expect(steps).not.toContain(-1);
  expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  expect(server.isSet("cut-off")).toBe(false);
  expect(server.has("opt/livekit/state/applying")).toBe(false);
});

test("everything wrong with a bundle is found while the calls go on", () => {
  using server = readyMachine();
  const before = filesOf(server);
  const cases: [RegExp, Record<string, unknown>, ((files: Files) => void)?][] = [
    [/field prot not found/, changed, edit("livekit.yaml", (words) => `prot: 1\n${words}`)],
    [
      /firewall's rules are not right/,
      changed,
      edit("firewall.nft", (words) => `${words}wrong-rule\n`),
    ],
    [
      /docker-compose.yaml is not right/,
      changed,
      edit("docker-compose.yaml", (words) => `${words}wrong-key: 1\n`),
    ],
    [/restore.sh is damaged/, changed, edit("restore.sh", (words) => `${words}if\n`)],
    [/is for other.example.com, this machine serves livekit/, { domain: "other.example.com" }],
    [/livekit would go from [\d.]+ down to 1.12.0/, { versions: { livekit: "v1.12.0" } }],
    [/no files.txt/, changed, (files) => delete files["livekit/files.txt"]],
    [
      /something else than files/,
      changed,
      (files) => Object.assign(files, { "livekit/../../etc/x": text("x") }),
    ],
    [
      /something else than files/,
      changed,
      (files) => Object.assign(files, { "/etc/x": text("x") }),
    ],
    [
      /wrong line/,
      changed,
      edit("files.txt", (words) => `${words}0644 livekit.yaml /opt/livekit/../../root/x\n`),
    ],
    [
      /wrong line/,
      changed,
      edit("files.txt", (words) => `${words}0644 livekit.yaml /root/.ssh/authorized_keys\n`),
    ],
    [/wrong line/, changed, edit("files.txt", (words) => `${words}4755 livekit.yaml /usr/bin/x\n`)],
    [
      /wrong line/,
      changed,
      edit("files.txt", (words) => `${words}0644 livekit.yaml /opt/livekit/data/x\n`),
    ],
    [
      /The bundle has no firewall.nft/,
      changed,
      edit("files.txt", (words) => words.replace(/.*firewall.nft.*\n/, "")),
    ],
  ];
  for (const [words, options, spoil] of cases) {
    const { status, output } = server.run("livekit-deploy", [
      "apply",
      bring(server, options, spoil),
    ]);
    expect(output).toMatch(words);
    expect(output).toContain("Nothing was changed.");
    expect(status, String(words)).toBe(1);
  }
  server.write("new.zip", "no zip");
  expect(server.run("livekit-deploy", ["apply", server.path("new.zip")]).output).toContain(
    "is not a bundle with apply.sh",
  );
  bring(server);
  server.set("pull-fails");
  expect(server.run("livekit-deploy", ["apply", server.path("new.zip")]).output).toContain(
    "An image could not be fetched",
  );
  server.unset("pull-fails");
  server.set("disk-used", "97");
  expect(server.run("livekit-deploy", ["apply", server.path("new.zip")]).output).toContain(
    "2048 are needed",
  );
  expect(stopped(server)).toBe(false);
  expect(filesOf(server)).toEqual(before);
  expect(server.run("livekit-deploy", ["apply", "--later"]).status).toBe(64);
});

testInProof("a lower version and another domain are taken when they are asked for", () => {
  using server = readyMachine();
  const lower = bring(server, { versions: { livekit: "v1.12.0" } });
  expect(server.run("livekit-deploy", ["apply", lower, "--allow-downgrade"]).status).toBe(0);
  expect(server.read("opt/livekit/docker-compose.yaml")).toContain("livekit-server:v1.12.0");
  const other = bring(server, { domain: "livekit.other.example.com" });
  expect(server.run("livekit-deploy", ["apply", other, "--other-domain"]).output).toContain(
    "The bundle is in use.",
  );
  expect(server.read("opt/livekit/deployment.env")).toContain("DOMAIN='livekit.other.example.com'");
});

testInProof("a version behind a tag that moves is not lowered unseen", () => {
  using server = readyMachine({ updates: "weekly" });
  const exact = bring(server, { updates: "manual" });
  const refused = server.run("livekit-deploy", ["apply", exact]);
  expect(refused.output).toMatch(
    /livekit runs some version of v1\.\d+, which may be newer than v1/,
  );
  expect(refused.status).toBe(1);
  server.set("label-livekit", "1.99.3");
  expect(server.run("livekit-deploy", ["apply", exact]).output).toMatch(
    /livekit would go from 1.99.3 down to 1\./,
  );
  expect(server.run("livekit-deploy", ["apply", exact, "--allow-downgrade"]).status).toBe(0);
  const back = bring(server, { updates: "weekly" });
  expect(server.run("livekit-deploy", ["apply", back]).status).toBe(0);
});

test("a service that is not healthy afterwards, or a new fault, brings the old files back with the reason", () => {
  for (const [fault, words] of [
    ["bad-images", "a service is not healthy"],
    ["livekit-silent", "livekit.silent"],
  ] as const) {
    using server = readyMachine();
    const before = filesOf(server);
    const file = bring(server, { ...changed, versions: { livekit: "v1.99.0" } });
    if (fault === "bad-images") server.set(fault, "sha256:livekit/livekit-server:v1.99.0\n");
    else
      server.command(
        "curl",
        `grep -q v1.99.0 "$MACHINE/running/livekit" && case "$*" in *7880*) exit 7 ;; esac
case "$*" in *169.254*) printf 203.0.113.5 ;; *7880*) printf OK ;; *) exit 7 ;; esac`,
      );
    const { status, output } = server.run("livekit-deploy", ["apply", file]);
    expect(output).toContain(words);
    expect(output).toContain("The files from before are in use again.");
    expect(status).toBe(1);
    expect(filesOf(server)).toEqual(before);
    expect(server.controlContent("running/livekit")).not.toContain("v1.99.0");
    expect(server.has("etc/systemd/system/livekit-backup.timer")).toBe(false);
    expect(server.has("opt/livekit/state/applying")).toBe(false);
  }
});

test("a fault of a kind that the doctor from before does not know is no reason to go back", () => {
  using server = readyMachine();
  const doctor = "opt/livekit/bin/doctor.sh";
  server.write(doctor, server.read(doctor).replaceAll("livekit.silent)", "livekit.other)"), 0o755);
  const file = bring(server, changed);
  server.set("livekit-silent");
  const { status, output } = server.run("livekit-deploy", ["apply", file]);
  expect(output).toContain("The bundle is in use.");
  expect(status).toBe(0);
});

testInProof(
  "a name without a DNS record yet, and a fault that was there before, are no reason to go back",
  () => {
    using server = readyMachine();
    server.set("no-firewall");
    server.set("livekit-silent");
    const file = bring(server, { ...changed, extraDomains: ["not-yet.example.org"] });
    server.unset("no-firewall");
    const { status, output } = server.run("livekit-deploy", ["apply", file]);
    expect(output).toContain("The bundle is in use.");
    expect(status).toBe(0);
    expect(server.run("doctor", ["--report"]).output).toContain("dns.missing");
  },
);

test("a power cut in the middle of the exchange puts the old files back at the next start", async () => {
  using server = readyMachine();
  const before = filesOf(server);
  const file = bring(server);
  server.command(
    "mv",
    'case "$*" in *before*) ;; *livekit.yaml*) if [ -e "$LIVEKIT_DEPLOY_ROOT/opt/livekit/state/applying" ]; then : >"$MACHINE/moving"; /bin/sleep 60; fi ;; esac\nexec /bin/mv "$@"',
  );
  await server.cutPower("livekit-deploy", ["apply", file], "moving");
  server.command("mv", 'exec /bin/mv "$@"');
  expect(filesOf(server)).not.toEqual(before);
  server.forget();
  expect(server.run("before-start").output).toContain("Taking a bundle was interrupted");
  expect(filesOf(server)).toEqual(before);
  for (const name of ["applying", "before-apply", "apply-run"])
    expect(server.has(`opt/livekit/state/${name}`), name).toBe(false);
  // LiveKit's own unit may not write into /etc, and a timer that the new bundle lacked was disabled.
  expect(server.calls()).toMatch(
    /systemd-run -q --collect --wait --pipe \S+ \S+apply.sh --recover/,
  );
  expect(server.calls()).toContain("systemctl enable --now livekit-health.timer");
});

test("a bundle with a newer Redis that goes back has Redis's data from before", () => {
  using server = readyMachine();
  const dump = "opt/livekit/data/redis/dump.rdb";
  server.write(dump, "REDIS0011trunks");
  const file = bring(server, { versions: { redis: "8.9.9-alpine" } });
  server.set("bad-images", "sha256:redis:8.9.9-alpine\n");
  const { status, output } = server.run("livekit-deploy", ["apply", file]);
  expect(output).toContain("Redis has its data from before again.");
  expect(output).toContain("The files from before are in use again.");
  expect(status).toBe(1);
  expect(server.read(dump)).toMatch(/^REDIS001[12]trunks$/);
  expect(server.isSet("redis-log")).toBe(false);
});

test("M8: where Docker Compose is no package of that name, as on Debian, a bundle is taken all the same", () => {
  using server = readyMachine();
  server.set("missing-docker-compose-v2");
  expect(server.run("livekit-deploy", ["apply", bring(server)]).status).toBe(0);
  expect(server.calls()).not.toContain("apt-get");
});

testInProof(
  "missing packages are installed before anything stops, and one that cannot be had is a reason not to begin",
  () => {
    using server = readyMachine();
    server.set("missing-age");
    const file = bring(server, {
      backups: { frequency: "daily", ageRecipient: `age1${"q".repeat(58)}` },
    });
    server.set("packages-fail");
    expect(server.run("livekit-deploy", ["apply", file]).output).toContain(
      "Packages could not be installed",
    );
    expect(stopped(server)).toBe(false);
    server.unset("packages-fail");
    server.forget();
    expect(server.run("livekit-deploy", ["apply", file]).status).toBe(0);
    const calls = server.calls();
    expect(calls).toContain("install -y -q age\n");
    expect(calls.indexOf("install -y -q age")).toBeLessThan(calls.indexOf("compose stop"));
  },
);

testInProof(
  "a bundle waits for a quiet moment, with --now for nothing, and never beside an update",
  async () => {
    using server = readyMachine();
    const file = bring(server);
    server.set("people", "1");
    server.command(
      "sleep",
      '[ "$1" != 5 ] || : >"$MACHINE/waited"; [ "$1" != 5 ] || echo 0 >"$MACHINE/people"',
    );
    expect(server.run("livekit-deploy", ["apply", file, "--now"]).status).toBe(0);
    expect(server.isSet("waited")).toBe(false);
    expect(server.run("livekit-deploy", ["apply", file]).output).toContain(
      "Waiting for a quiet moment",
    );
    expect(server.isSet("waited")).toBe(true);
    server.set("up-slow");
    const update = server.start("update", ["--to", "livekit=v1.99.0"]);
    update.stdout.resume();
    update.stderr.resume();
    await vi.waitUntil(() => server.isSet("up-began"), { timeout: 20_000 });
    expect(server.run("livekit-deploy", ["apply", file])).toMatchObject({ status: 75 });
    server.unset("up-slow");
    await once(update, "close");
  },
);
