import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { report } from "../../support/deployments/console-machine.ts";
import { rolloutScene } from "../../support/rollouts/rollout-scene.ts";

vi.setConfig({ testTimeout: 120_000 });

const hour = 3_600;
const night = { begins: 2 * hour, ends: 5 * hour };
let scene: Awaited<ReturnType<typeof rolloutScene>>;
beforeEach(async () => {
  scene = await rolloutScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

const hasFetched = () => scene.console.requests.some(({ path }) => path === "/v1/rollout-files");

test("before its window an approved version waits, and nothing is fetched or said; in it the same order is carried out", async () => {
  scene.approved(night);
  for (const seconds of [0, 2 * hour - 60]) {
    scene.clockAhead(seconds);
    const { status } = await scene.takes();
    expect([status, scene.steps, hasFetched(), scene.hasStopped()]).toEqual([0, [], false, false]);
  }
  expect(scene.machine.read("opt/livekit/state/rollout/order")).toContain("rollout-manifest ");
  // The console is not needed for it: the order stayed on the machine.
  scene.clockAhead(2 * hour + 1);
  await scene.goesOn();
  expect([scene.steps.at(-1), scene.version()]).toEqual(["proved", "2"]);
});

test("after its window it is not begun", async () => {
  scene.approved(night);
  await report(scene.machine);
  scene.clockAhead(5 * hour);
  await scene.goesOn();
  expect(scene.steps).toEqual(["refused Its time is over. Nothing was changed."]);
  expect([hasFetched(), scene.hasStopped(), scene.version()]).toEqual([false, false, "1"]);
});

test("where people are in calls until its window ends, it ends with nothing changed", async () => {
  scene.approved({ begins: -60, ends: hour });
  scene.machine.set("people", "1");
  const late = `: >"$MACHINE/waits-for-calls"`;
  scene.machine.command("sleep", `/bin/sleep 0.05; ${late}`);
  scene.machine.command(
    "date",
    `if [ -e "$MACHINE/waits-for-calls" ]; then exec /bin/date -d "+${hour} seconds" "$@"; else exec /bin/date "$@"; fi`,
  );
  await scene.takes();
  expect(scene.steps).toEqual([
    ...["fetched", "checked", "draining"],
    "expired Its window was over before nobody was in a call. Nothing was changed.",
  ]);
  expect([scene.hasStopped(), scene.version()]).toEqual([false, "1"]);
});

const forgeries: [what: string, why: RegExp, forged: (manifest: string) => string][] = [
  [
    "without its beginning",
    /does not say what its begins is/,
    (text) => text.replace(/begins .*\n/, ""),
  ],
  ["with two beginnings", /says twice/, (text) => text.replace(/(begins) .*\n/, "$&$1 1\n")],
  [
    "of the form without windows",
    /does not know: begins/,
    (text) => text.replace("rollout 2", "rollout 1"),
  ],
  [
    "of a form that comes later",
    /no rollout that this machine knows/,
    (text) => text.replace("rollout 2", "rollout 3"),
  ],
  [
    "with a condition that comes later",
    /does not know: people/,
    (text) => text.replace("lower ", "people 3\nlower "),
  ],
];
test.each(forgeries)(
  "a manifest %s is refused, even where it was signed",
  async (_, why, forged) => {
    const rollout = scene.made({ begins: -60 });
    const manifest = forged(rollout.manifest);
    scene.order(
      { ...rollout, manifest },
      scene.devices.map((device) => device.sign(manifest)),
      rollout.zip,
    );
    await scene.takes();
    expect(scene.steps).toEqual([expect.stringMatching(/^refused /)]);
    expect(scene.steps[0]).toMatch(why);
    expect(scene.hasStopped()).toBe(false);
  },
);

test("a window that somebody else put in place of the approved one approves nothing", async () => {
  const rollout = scene.made(night);
  const signed = scene.devices.map((device) => device.sign(rollout.manifest));
  const manifest = rollout.manifest.replace(/begins .*/, "begins 1");
  scene.order({ ...rollout, manifest }, signed, rollout.zip);
  await scene.takes();
  expect(scene.steps).toEqual([expect.stringMatching(/^refused 0 of 1.*for another version/)]);
});

test("scripts of before windows refuse the form that has one", () => {
  expect(scene.made().manifest).toMatch(/^livekit-deploy-rollout 1\n/);
  expect(scene.made(night).manifest).toMatch(/^livekit-deploy-rollout 2\n/);
});
