import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, linkSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { report } from "../../support/deployments/console-machine.ts";
import { rolloutScene } from "../../support/rollouts/rollout-scene.ts";

vi.setConfig({ testTimeout: 120_000 });

const script = "opt/livekit/state/apply-run/apply.sh";

test("a good version that was approved is fetched, checked, drained, applied and proved, and each step is told", async () => {
  await using scene = await rolloutScene();
  scene.approved();
  const { output } = await scene.takes();
  expect(scene.steps).toEqual([
    ...["fetched", "checked", "draining", "applying", "applied", "proved"],
  ]);
  expect(output).toContain("proved.");
  expect(scene.version()).toBe("2");
  const calls = scene.machine.calls();
  expect(calls).toContain("systemctl start --no-block livekit-rollout.service");
  const order = ["compose pull -q", "docker compose stop livekit", "docker compose up -d"].map(
    (each) => calls.indexOf(each),
  );
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(scene.machine.has("opt/livekit/state/rollout/order")).toBe(false);
});

test("the same rollout a second time is not begun: its end is told again", async () => {
  await using scene = await rolloutScene();
  scene.approved();
  await scene.takes();
  scene.machine.forget();
  scene.steps.length = 0;
  await scene.takes();
  expect(scene.steps).toEqual(["proved"]);
  expect(scene.hasStopped()).toBe(false);
});

test("a broken version goes back by itself, with the reason", async () => {
  await using scene = await rolloutScene();
  const options = { versions: { livekit: "v1.99.0" } };
  scene.machine.set("bad-images", "sha256:livekit/livekit-server:v1.99.0\n");
  scene.approved({ options });
  await scene.takes();
  expect(scene.steps.slice(0, -1)).toEqual(["fetched", "checked", "draining", "applying"]);
  expect(scene.steps.at(-1)).toMatch(/^rolled-back .*a service is not healthy.*in use again/);
  expect(scene.version()).toBe("1");
});

test("a version whose files are not right is refused before anything stops", async () => {
  await using scene = await rolloutScene();
  scene.machine.set("pull-fails");
  scene.approved();
  await scene.takes();
  expect(scene.steps).toEqual([
    "fetched",
    expect.stringMatching(/^refused .*An image could not be fetched.*Nothing was changed\./),
  ]);
  expect(scene.hasStopped()).toBe(false);
});

test("half a download is fetched again with the next report, and changes nothing meanwhile", async () => {
  await using scene = await rolloutScene();
  const rollout = scene.approved();
  const signed = scene.devices.map((device) => device.sign(rollout.manifest));
  scene.order(rollout, signed, rollout.zip.slice(0, rollout.zip.length / 2));
  const { status } = await scene.takes();
  expect([status, scene.steps, scene.version()]).toEqual([1, [], "1"]);
  scene.order(rollout, signed, rollout.zip);
  await scene.takes();
  expect(scene.steps.at(-1)).toBe("proved");
});

test("with calls running it waits for a quiet moment, and cuts nobody off", async () => {
  await using scene = await rolloutScene();
  scene.machine.set("people", "1");
  scene.machine.command(
    "sleep",
    '/bin/sleep 0.05; [ "$1" != 5 ] || { : >"$MACHINE/waited"; echo 0 >"$MACHINE/people"; }',
  );
  scene.approved();
  await scene.takes();
  expect(scene.steps.at(-1)).toBe("proved");
  expect([scene.machine.isSet("waited"), scene.machine.isSet("cut-off")]).toEqual([true, false]);
});

test.each(["fetched", "draining", "applying"])(
  "an abort that is heard of with the step %s ends it with nothing changed",
  async (step) => {
    await using scene = await rolloutScene();
    scene.machine.set("people", step === "applying" ? "0" : "1");
    scene.approved();
    scene.abortsAt(step);
    await scene.takes();
    expect(scene.steps.at(-1)).toBe("aborted Aborted before anything was changed.");
    expect([scene.version(), scene.hasStopped()]).toEqual(["1", false]);
  },
);

test("a restart before the exchange begins it anew, and it ends as if there had been none", async () => {
  await using scene = await rolloutScene();
  scene.approved();
  scene.machine.command("sleep", ': >"$MACHINE/waits-for-calls"; /bin/sleep 60');
  scene.machine.set("people", "1");
  await report(scene.machine);
  await scene.machine.cutPower("../state/rollout/run/rollout", [], "waits-for-calls");
  scene.machine.command("sleep", "/bin/sleep 0.05");
  scene.machine.set("people", "0");
  await scene.takes();
  expect(scene.steps.at(-1)).toBe("proved");
  expect(scene.version()).toBe("2");
});

test("a restart in the middle of the exchange puts the old files back, and says so", async () => {
  await using scene = await rolloutScene();
  const { machine } = scene;
  scene.approved();
  await report(machine);
  machine.command(
    "mv",
    'case "$*" in *before*) ;; *livekit.yaml*) if [ -e "$LIVEKIT_DEPLOY_ROOT/opt/livekit/state/applying" ]; then : >"$MACHINE/moving"; /bin/sleep 60; fi ;; esac\nexec /bin/mv "$@"',
  );
  await machine.cutPower("../state/rollout/run/rollout", [], "moving");
  machine.command("mv", 'exec /bin/mv "$@"');
  // While LiveKit's unit has not put them back, nothing is said.
  expect((await scene.goesOn()).status).toBe(1);
  expect(machine.run("before-start").output).toContain("Taking a bundle was interrupted");
  await scene.takes();
  expect(scene.steps.at(-1)).toBe(
    "rolled-back The machine restarted in the middle. The files from before are in use.",
  );
  expect(scene.version()).toBe("1");
});

test("what was interrupted in the exchange ends before another order is looked at", async () => {
  await using scene = await rolloutScene();
  const { machine } = scene;
  const { id } = scene.approved();
  await report(machine);
  machine.write("opt/livekit/state/rollout/progress", `${id} applying\n`);
  const order = machine.read("opt/livekit/state/rollout/order");
  scene.approved();
  await report(machine);
  expect(machine.read("opt/livekit/state/rollout/order")).toBe(order);
  // What is left of one that has ended holds up nothing.
  machine.write("opt/livekit/state/rollout/order", "");
  const next = scene.approved();
  await report(machine);
  expect(machine.read("opt/livekit/state/rollout/order")).toContain(`rollout ${next.id}\n`);
});

test("while something else works on the machine it fetches nothing and is tried again", async () => {
  await using scene = await rolloutScene();
  const { machine } = scene;
  machine.write(script, "exit 0\n");
  scene.approved();
  await report(machine);
  const lock = machine.path("opt/livekit/state/lock");
  const holder = spawn("sh", ["-c", 'exec 9>"$0"; flock 9; echo held; exec cat', lock]);
  const closed = once(holder, "close");
  await once(holder.stdout, "data");
  const { status } = await scene.goesOn();
  expect([status, scene.steps, machine.read(script)]).toEqual([1, [], "exit 0\n"]);
  expect(scene.console.requests.some(({ path }) => path === "/v1/rollout-files")).toBe(false);
  holder.stdin.end();
  await closed;
  await scene.goesOn();
  expect(scene.steps.at(-1)).toBe("proved");
});

test("an apply.sh that runs is not written over: the new one takes its name", async () => {
  await using scene = await rolloutScene();
  const { machine } = scene;
  machine.set("pull-fails");
  machine.write(script, "exit 0\n");
  linkSync(machine.path(script), machine.path("opt/livekit/state/running-script"));
  scene.approved();
  await scene.takes();
  expect(machine.read(script)).toContain("Takes a changed bundle");
  expect(machine.read("opt/livekit/state/running-script")).toBe("exit 0\n");
});

test("a console that is away while it is carried out hears of the end later", async () => {
  await using scene = await rolloutScene();
  const { machine } = scene;
  scene.approved();
  await report(machine);
  const curl = `case "$*" in *"/v1/rollout") exit 7 ;; *"/v1/"*) PATH=\${PATH#*:} exec curl "$@" ;; *7880*) printf OK ;; *169.254*) printf 203.0.113.5 ;; *) exit 7 ;; esac`;
  machine.command("curl", curl);
  await scene.goesOn();
  expect([scene.version(), scene.steps]).toEqual(["2", []]);
  machine.command("curl", curl.replace('*"/v1/rollout") exit 7 ;; ', ""));
  await scene.takes();
  expect(scene.steps).toEqual(["proved"]);
});

test("what it ran from is gone from the scripts' folder by nobody: it runs copies", async () => {
  await using scene = await rolloutScene();
  scene.approved();
  await report(scene.machine);
  for (const name of ["rollout.sh", "approval.py", "console.sh"])
    expect(existsSync(scene.machine.path(`opt/livekit/state/rollout/run/${name}`)), name).toBe(
      true,
    );
  expect(scene.machine.read("etc/systemd/system/livekit-rollout.service")).toContain(
    "ExecStart=/bin/sh /opt/livekit/state/rollout/run/rollout.sh",
  );
});
