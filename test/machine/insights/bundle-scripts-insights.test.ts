// The check of agent insights on a machine: "Is it on?", with the reason where no recording comes.
import { expect, test, vi } from "vitest";
import { type Machine, runningMachine } from "../../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const insights = { insights: { kind: "machine" } };
const check = (server: Machine) => server.run("livekit-deploy", ["insights", "check"]);

/** LiveKit's log of a job that ended, as `docker compose logs` shows it. */
const jobEnded = (version: string, agentName = "desk") =>
  `livekit-1  | {"level":"info","ts":1795800300.1,"logger":"livekit.agents","caller":"agent/worker.go:606","msg":"job ended","workerID":"AW_1","agentName":"${agentName}","deployment":"","agentID":"","version":"${version}","jobType":"JT_ROOM","jobID":"AJ_abcdefgh1234","status":"JS_SUCCESS","error":""}\n`;

/** A machine at which no recording comes, and on which whatever waits takes no time. */
function withoutRecording(log = "") {
  const server = runningMachine(insights);
  server.waitsAtOnce();
  server.set("nobody-talks");
  server.set("livekit-log", log);
  return server;
}

test("one turn, one recording: the check ends with it, and says of which job and SDK it is", () => {
  using server = runningMachine(insights);
  const { status, output } = check(server);
  expect(output).toContain(
    "It is on: AJ_abcdefgh1234 was recorded, by Agents SDK 1.8.9.\nsudo livekit-deploy insights show AJ_abcdefgh1234\n",
  );
  expect(status).toBe(0);
});

test("agents whose SDK is older than the variable are named, each with its version", () => {
  for (const [version, verdict] of [
    ["1.5.0", "which is too old."],
    ["1.5.1", "which is too old if it is JavaScript."],
    ["1.8.0", "which is new enough."],
  ] as const) {
    using server = withoutRecording(jobEnded("1.4.2", "") + jobEnded(version));
    const { status, output } = check(server);
    expect(status).toBe(1);
    expect(output).toContain(
      "No recording came.\nThe job of an agent has ended. Its Agents SDK is 1.4.2, which is too old.\n",
    );
    expect(output).toContain(
      `The job of agent desk has ended. Its Agents SDK is ${version}, ${verdict}\n`,
    );
    // A job's end comes after its recording was sent, so that nobody waits on.
    expect(server.controlContent("waits").trim().split("\n").length).toBeLessThan(15);
  }
});

test("without a job's end the check waits ten minutes, and says what an agent needs", () => {
  using server = withoutRecording();
  const { status, output } = check(server);
  expect(status).toBe(1);
  expect(output).toContain("No job of an agent has ended since then, by LiveKit's log.");
  for (const needed of [
    "livekit-agents 1.5.1 or later for Python, @livekit/agents 1.8.0 or later for JavaScript",
    "LIVEKIT_OBSERVABILITY_URL=https://livekit.example.com and nothing behind that",
    "record=False",
  ])
    expect(output).toContain(needed);
  const waits = server.controlContent("waits").trim().split("\n").map(Number);
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(590);
});

test("a receiver that does not answer, and insights that are off, are said before anybody is asked to talk", () => {
  using server = runningMachine(insights);
  server.set("insights-silent");
  expect(check(server)).toEqual({
    status: 1,
    output:
      "The receiver of agent insights does not answer at http://127.0.0.1:7991. Next: sudo livekit-deploy doctor\n",
  });
  server.run("livekit-deploy", ["insights", "off"]);
  expect(check(server)).toEqual({
    status: 1,
    output: "Agent insights are off. First: sudo livekit-deploy insights on\n",
  });
});
