import { expect, test, vi } from "vitest";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { layoutWords, missingOf } from "~/features/servers/layout/layout.ts";
import { layoutFindings } from "~/features/servers/state/connected-findings.ts";
import { refusing, token, well } from "../../support/deployments/console-machine.ts";
import { startConsole } from "../../support/deployments/console-server.ts";
import { answeringLiveKit } from "../../support/servers/layouts/answering-livekit.ts";
import { type PodSecret, startPod } from "../../support/servers/layouts/pod.ts";

vi.setConfig({ testTimeout: 60_000 });

const seed = "5f0c".repeat(16);

/** As the console's command makes it; a pasted token ends with a line's end. */
const secretFor = (url: string, livekit: number, more: PodSecret = {}): PodSecret => ({
  ...{ token: `${token}\n`, seed, console: url },
  ...{ service: `livekit-server.rtc.svc:${livekit}`, metrics: String(livekit), ...more },
});

function reportIn(body = "") {
  const read = parseReport(body);
  if (!read.ok) throw new Error(`Line ${read.line} cannot be read.`);
  return read.report;
}

test("the pod of the manifest finds LiveKit by its service's name, connects, and reports what can be had without a right in the cluster", async () => {
  await using console = await startConsole(well);
  await using livekit = await answeringLiveKit();
  const secret = secretFor(console.url, livekit.port, { domain: "rtc.example.com" });
  await using pod = startPod(secret);
  await expect.poll(() => console.requests.length, { message: pod.output() }).toBe(2);
  expect(console.requests.map(({ path }) => path)).toEqual(["/v1/enrol", "/v1/report"]);
  const report = reportIn(console.requests[1]?.body);
  expect(report.layout).toMatchObject({ kind: "kubernetes", where: "rtc/livekit-server" });
  expect(report.layout?.facts).toEqual({ answers: "yes" });
  expect(report.metrics).toEqual({ rooms: 2, participants: 5, "joins-failed": 3 });
  expect(report).toMatchObject({ domain: "rtc.example.com", node: { id: "ND_abc" } });
  // Those of whichever node the pod is on would be another machine's.
  expect(report.load ?? report.memory ?? report.disk ?? report.addresses[0]).toBeUndefined();
  expect(layoutFindings(report, report.at)).toEqual([]);
  expect(pod.written()).toEqual(Object.keys(secret).toSorted());
  const sent = console.requests.map(({ body }) => body).join();
  expect(sent).not.toContain(seed);
});

test("a pod that takes the place of another is the same server with the same key, though nothing was stored", async () => {
  await using console = await startConsole(well);
  await using livekit = await answeringLiveKit();
  const secret = secretFor(console.url, livekit.port);
  const keys = new Set<string | undefined>();
  const identities = new Set<string>();
  const identityOf = (body: string | undefined) => {
    const { boot, machine, instance } = reportIn(body);
    return `${boot} ${machine} ${instance}`;
  };
  const numbers: number[] = [];
  for (const count of [2, 4]) {
    await using pod = startPod(secret);
    await expect.poll(() => console.requests.length, { message: pod.output() }).toBe(count);
    const [enrolment, sent] = console.requests.slice(-2);
    keys.add(/^key-hash .*$/m.exec(enrolment?.body ?? "")?.[0]);
    identities.add(identityOf(sent?.body));
    numbers.push(reportIn(sent?.body).seq);
  }
  expect(keys.size).toBe(1);
  expect(identities.size).toBe(1);
  // Another cluster, with another seed, is another machine.
  const other = secretFor(console.url, livekit.port, { seed: "77aa".repeat(16) });
  await using pod = startPod(other);
  await expect.poll(() => console.requests.length, { message: pod.output() }).toBe(6);
  expect(identities).not.toContain(identityOf(console.requests[5]?.body));
  expect(numbers[0]).toBeGreaterThan(1_700_000_000);
});

test("where LiveKit or its metrics are silent the console says so for a chart: its values, kubectl and helm, and nothing of systemd", async () => {
  await using console = await startConsole(well);
  await using pod = startPod(secretFor(console.url, 1));
  await expect.poll(() => console.requests.length, { message: pod.output() }).toBe(2);
  const report = reportIn(console.requests[1]?.body);
  const { layout } = report;
  if (!layout) throw new Error("There is no layout.");
  expect(layoutWords(layout, undefined)).toBe("LiveKit in Kubernetes at rtc/livekit-server");
  expect(layoutFindings(report, report.at)).toMatchObject([
    {
      code: "connected.livekit.silent",
      wanted: "kubectl logs --tail 100 -n rtc deployment/livekit-server",
    },
  ]);
  const missing = missingOf(layout, undefined);
  expect(missing.map(({ where, lines }) => [where, lines])).toEqual([
    [
      "values.yaml of its chart",
      "livekit:\n  prometheus_port: 6789\n# then: helm upgrade livekit-server livekit/livekit-server -n rtc -f values.yaml",
    ],
    [undefined, expect.stringMatching(/^kubectl patch secret livekit-connect /)],
  ]);
  expect(JSON.stringify(missing)).not.toMatch(/systemctl|sudo/);
});

test("a pod that the console refuses says why and ends, and one that it does not answer tries on", async () => {
  await using console = await startConsole(refusing(410, "token-revoked"));
  await using refused = startPod(secretFor(console.url, 1));
  expect(await refused.ended).toBe(3);
  expect(refused.output()).toContain("What to do about it.");
  await using away = await startConsole(() => "breaks-off");
  await using pod = startPod(secretFor(away.url, 1));
  await expect.poll(() => pod.output()).toContain("The console did not answer");
});
