import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { report, run } from "../../support/deployments/console-machine.ts";
import { authenticator, type Forgery } from "../../support/rollouts/authenticator.ts";
import { people, rolloutScene } from "../../support/rollouts/rollout-scene.ts";

vi.setConfig({ testTimeout: 120_000 });

let scene: Awaited<ReturnType<typeof rolloutScene>>;
beforeEach(async () => {
  scene = await rolloutScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

/** The machine took nothing, stopped nothing and fetched nothing, and said why. */
async function isRefused(why: RegExp, isFetched = false) {
  await scene.takes();
  expect(scene.steps).toEqual([expect.stringMatching(/^refused /)]);
  expect(scene.steps[0]).toMatch(why);
  expect(scene.steps[0]).toContain("Nothing was changed.");
  expect([scene.version(), scene.hasStopped()]).toEqual(["1", false]);
  const fetched = scene.console.requests.some(({ path }) => path === "/v1/rollout-files");
  expect(fetched).toBe(isFetched);
}

/** Approved, with no files at the console: it ends with nothing changed. */
function withoutFiles(): string {
  const rollout = scene.made();
  scene.order(
    rollout,
    scene.devices.map((device) => device.sign(rollout.manifest)),
  );
  return rollout.id;
}

describe("who steals our console can watch, not change", () => {
  test("with all rows of our databases, all our keys and every approval that was ever made, no version is taken", async () => {
    // The thief has what we have: the machine's key hash, the public keys, old assertions, and the generator.
    const old = scene.approved();
    await scene.takes();
    expect(scene.steps.at(-1)).toBe("proved");
    const before = scene.machine.calls();
    const stolen = scene.devices.map((device) => device.sign(old.manifest));
    // A version of the thief's with the approvals of another one.
    const evil = scene.made({ version: 3, options: { monitoring: "basic", updates: "weekly" } });
    scene.order(evil, stolen, evil.zip);
    await scene.takes();
    expect(scene.steps).toEqual([expect.stringMatching(/^refused .*it is for another version/)]);
    // The thief's own passkey, under the id of the one that the machine knows, and under its own.
    const thief = authenticator(people[0], "https://console.example.com");
    const again = scene.made({ version: 3, options: { monitoring: "basic", updates: "weekly" } });
    const known = scene.devices[0]?.approver.credential ?? "";
    scene.order(again, [{ ...thief.sign(again.manifest), credential: known }], again.zip);
    await scene.takes();
    expect(scene.steps).toEqual([
      expect.stringMatching(/^refused .*signature is not of this passkey/),
    ]);
    const third = scene.made({ version: 3, options: { monitoring: "basic", updates: "weekly" } });
    scene.order(third, [thief.sign(third.manifest)], third.zip);
    scene.offers([thief]);
    await scene.takes();
    expect(scene.steps).toEqual([expect.stringMatching(/^refused .*passkey is not known here/)]);
    // The approved manifest once more, with other files, and under another id.
    scene.order({ ...old, id: crypto.randomUUID() }, stolen, evil.zip);
    await scene.takes();
    expect(scene.steps).toEqual([expect.stringMatching(/^refused .*another rollout than/)]);
    scene.order(old, stolen, evil.zip);
    await scene.takes();
    expect(scene.steps).toEqual(["proved"]);
    expect(scene.version()).toBe("2");
    expect(scene.machine.calls().slice(before.length)).not.toMatch(/compose (stop|up)/);
  });

  test("a machine that enrols again takes over nobody, and what the console says of removed ones only takes away", async () => {
    const approvers = scene.machine.read("opt/livekit/approvers");
    scene.offers([authenticator(people[1], "https://console.example.com")]);
    await run(scene.machine, "livekit-deploy", ["disconnect"]);
    await run(
      scene.machine,
      "livekit-deploy",
      ["connect"],
      `lkd_e_${"0".repeat(32)}_${"A".repeat(43)}_${"2".repeat(16)}\n`,
    );
    expect(scene.machine.read("opt/livekit/approvers")).toBe(approvers);
    scene.remove([scene.devices[0]?.approver.fingerprint ?? "", "e".repeat(32)]);
    await report(scene.machine);
    expect(scene.machine.read("opt/livekit/approvers")).not.toContain("key ");
    scene.approved();
    await isRefused(/0 of 1 people approved it/);
  });
});

describe("an approval is used once", () => {
  const folder = "opt/livekit/state/rollout";
  const endedLine = (id: string, ends: number) =>
    `${id} ${Math.floor(Date.now() / 1_000) + ends} aborted Aborted.\n`;

  test("an approved version is not taken again under a new id that stands before its own", async () => {
    scene.approved();
    await scene.takes();
    expect(scene.steps.at(-1)).toBe("proved");
    scene.machine.forget();
    const fresh = crypto.randomUUID();
    scene.linesBefore([`rollout ${fresh}`]);
    const { output } = await scene.takes();
    expect(scene.hasStopped()).toBe(false);
    expect(output).toContain("refused. It is another rollout than the console names.");
  });

  test("of an order's lines with one name the first is stored, and an order that has two is refused", async () => {
    const { id } = scene.approved();
    scene.linesBefore([`rollout ${id}`, "rollout-other x"]);
    await report(scene.machine);
    const order = scene.machine.read(`${folder}/order`);
    const names = order
      .trim()
      .split("\n")
      .map((line) => line.split(" ")[0]);
    expect(names).toEqual(["rollout", "rollout-manifest", "rollout-assertion-1"]);
    for (const line of order.trim().split("\n")) {
      scene.machine.write(`${folder}/order`, `${order}${line}\n`);
      scene.steps.length = 0;
      await scene.goesOn();
      expect(scene.steps).toEqual([expect.stringMatching(/^refused The order says twice/)]);
    }
    expect(scene.hasStopped()).toBe(false);
  });

  test("orders that nobody approved push no used approval out of the list", async () => {
    const used = scene.approved();
    await scene.takes();
    const fill = Array.from({ length: 98 }, () => endedLine(crypto.randomUUID(), 3_600));
    scene.machine.write(
      `${folder}/ended`,
      [scene.machine.read(`${folder}/ended`), ...fill].join(""),
    );
    for (const bogus of [scene.made(), scene.made()]) {
      scene.order(bogus, [], bogus.zip);
      await scene.takes();
      expect(scene.steps).toEqual([expect.stringMatching(/^refused 0 of 1/)]);
      expect(scene.machine.read(`${folder}/ended`)).not.toContain(bogus.id);
    }
    scene.machine.forget();
    scene.order(
      used,
      scene.devices.map((device) => device.sign(used.manifest)),
      used.zip,
    );
    await scene.takes();
    expect([scene.steps, scene.hasStopped()]).toEqual([["proved"], false]);
  });

  test("a used approval is listed until its time is over, however many there are, and a day more for clocks", async () => {
    const [valid, recent, old] = [3_600, -3_600, -2 * 86_400].map((ends) => ({
      ...{ id: crypto.randomUUID(), ends },
    }));
    if (!valid || !recent || !old) throw new Error("There are no lines.");
    const fill = Array.from({ length: 150 }, () => ({ id: crypto.randomUUID(), ends: 60 }));
    const lines = [valid, recent, old, ...fill].map(({ id, ends }) => endedLine(id, ends));
    scene.machine.write(`${folder}/ended`, lines.join(""));
    const id = withoutFiles();
    await scene.takes();
    const ids = scene.machine
      .read(`${folder}/ended`)
      .trim()
      .split("\n")
      .map((line) => line.split(" ")[0]);
    expect(ids).toEqual([valid.id, recent.id, ...fill.map((each) => each.id), id]);
  });

  test("a manifest with signs that end a line for one reader alone is refused, even where it was signed", async () => {
    const made = scene.made();
    const rollout = { ...made, manifest: made.manifest.replace("\nends ", "\nnote\rends ") };
    scene.order(
      rollout,
      scene.devices.map((device) => device.sign(rollout.manifest)),
      rollout.zip,
    );
    await isRefused(/signs that no manifest has/);
  });

  test("an approval that ends more than two days from now is refused", async () => {
    scene.approved({ ends: 2 * 86_400 + 600 });
    await isRefused(/more than two days/);
  });
});

const forgeries: [why: RegExp, Forgery][] = [
  [/made on another site/, { origin: "https://console.example.net" }],
  [/made on another site/, { crossOrigin: true }],
  [/passkey is for another site/, { relyingParty: "example.net" }],
  [/another version/, { challenge: "something else" }],
  [/something else/, { type: "webauthn.create" }],
  [/person was not verified/, { flags: 0x01 }],
  [/person was not verified/, { flags: 0x04 }],
];
test.each(forgeries)("an assertion is refused because %s: %o", async (why, forged) => {
  const rollout = scene.made();
  const device = scene.devices[0];
  scene.order(rollout, device ? [device.sign(rollout.manifest, forged)] : [], rollout.zip);
  await isRefused(why);
});

test("no assertion, half a one and a text that is none are refused", async () => {
  const rollout = scene.made();
  const good = scene.devices[0]?.sign(rollout.manifest);
  if (!good) throw new Error("There is no device.");
  for (const [why, assertions] of [
    [/0 of 1 people approved it/, []],
    [/signature is not of this passkey/, [{ ...good, signature: good.signature.slice(0, 20) }]],
    [/cannot be read/, [{ ...good, clientData: "bm9uZQ" }]],
    [/passkey is for another site/, [{ ...good, authenticatorData: "" }]],
  ] as const) {
    scene.order(rollout, [...assertions], rollout.zip);
    await scene.takes();
    expect(scene.steps).toEqual([expect.stringMatching(/^refused /)]);
    expect(scene.steps[0]).toMatch(why);
  }
  expect(scene.hasStopped()).toBe(false);
});

test("an archive of another customer is refused, whatever it is called", async () => {
  const rollout = scene.approved();
  const others = scene.made({ options: { domain: "livekit.other.example.com" } });
  const signed = scene.devices.map((device) => device.sign(rollout.manifest));
  scene.order(rollout, signed, others.zip);
  await isRefused(/is not the file that was approved/, true);
});

test("a version for another server, or of another deployment, is refused", async () => {
  scene.approved({ servers: ["22222222-2222-2222-2222-222222222222"] });
  await isRefused(/for another server/);
});

test("a version of another deployment is refused", async () => {
  scene.approved({ of: "eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee" });
  await isRefused(/of another deployment/);
});

test("an approval whose time is over is refused", async () => {
  scene.approved({ ends: -1 });
  await isRefused(/Its time is over/);
});

test("an older version is refused unless it was ordered, which approvers sign", async () => {
  scene.approved({ version: 3 });
  await scene.takes();
  expect(scene.version()).toBe("3");
  scene.machine.forget();
  scene.approved({ version: 2 });
  await scene.takes();
  expect(scene.steps).toEqual([expect.stringMatching(/^refused Version 3 runs here/)]);
  expect(scene.hasStopped()).toBe(false);
  scene.approved({ version: 2, isLower: true });
  await scene.takes();
  expect([scene.steps.at(-1), scene.version()]).toEqual(["proved", "2"]);
});

test("where the console has no files, because it was aborted there or makes others, both are said with what to do", async () => {
  withoutFiles();
  await isRefused(
    /no files for it now: it was aborted or has ended there, or our later files are others\. Ask for the version again/,
    true,
  );
});

test("where two must approve, two passkeys of one person are one person", async () => {
  await using two = await rolloutScene({ needed: 2, approvers: 2 });
  const rollout = two.made();
  const [one, other] = two.devices;
  if (!one || !other) throw new Error("There are no devices.");
  two.order(rollout, [one.sign(rollout.manifest), one.sign(rollout.manifest)], rollout.zip);
  await two.takes();
  expect(two.steps).toEqual([expect.stringMatching(/^refused 1 of 2 people approved it/)]);
  const next = two.made();
  two.order(next, [one.sign(next.manifest), other.sign(next.manifest)], next.zip);
  await two.takes();
  expect([two.steps.at(-1), two.version()]).toEqual(["proved", "2"]);
});

test("the command on the machine shows fingerprints, and adds a passkey only where a person says yes", async () => {
  const added = authenticator(people[1], "https://console.example.com", "bob@example.com");
  scene.offers([added]);
  const { fingerprint } = added.approver;
  const shown = fingerprint.replace(/(.{4})(?=.)/g, "$1 ");
  const no = await run(scene.machine, "livekit-deploy", ["approvers"], "no\n");
  expect(no.output).toContain(shown);
  expect(scene.machine.read("opt/livekit/approvers")).not.toContain(fingerprint);
  const yes = await run(scene.machine, "livekit-deploy", ["approvers"], "yes\n");
  expect([yes.status, yes.output.includes("of 2 passkeys")]).toEqual([0, true]);
  expect(scene.machine.read("opt/livekit/approvers")).toContain(fingerprint);
  expect(scene.machine.mode("opt/livekit/approvers")).toBe("644");
});

test("a machine on which the verification says nothing at all takes nothing", async () => {
  scene.machine.command("python3", "exit 0");
  scene.approved();
  await scene.takes();
  expect(scene.steps).toEqual([expect.stringMatching(/^refused It could not be verified/)]);
  expect([scene.version(), scene.hasStopped()]).toEqual(["1", false]);
});
