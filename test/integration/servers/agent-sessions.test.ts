import { beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { Machine } from "../../support/servers/machine.ts";
import {
  agentJob,
  agentLines,
  sessionLines,
  sessions,
  wholeCall,
} from "../../support/servers/session-lines.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});

const { room, begin, spool } = sessions;
const deployment = "44444444-4444-4444-8444-444444444444";
async function connected() {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const { token } = await fleets.makeToken({ workspace, deployment, uses: 1, hours: 72 });
  const server = new Machine(worker);
  await server.enrol(token);
  return { fleets, workspace, server };
}

test("what agents did is acknowledged, stands beside the session of its room, and comes again changed", async () => {
  const { fleets, workspace, server } = await connected();
  const call = sessionLines(wholeCall);
  const first = await server.report(1, [...call, ...agentLines(room, begin)]);
  expect(first.lines).toMatchObject({ events: `${spool} ${wholeCall.length}`, agents: "7" });
  const page = await fleets.session(workspace, server.server, room);
  expect(page?.agents).toMatchObject([{ job: agentJob, agent: "desk" }]);
  expect(page?.agents[0]?.entries).toHaveLength(4);

  // Its last lines came later, so the machine sends the whole session again.
  const again = await server.report(2, agentLines(room, begin, 9).slice(0, -1));
  expect(again.lines).toMatchObject({ agents: "9" });
  const changed = await fleets.session(workspace, server.server, room);
  expect(changed?.agents.map(({ entries }) => entries.length)).toEqual([3]);
});

test("an agent's session that comes before its room's events waits for them, and is of that server alone", async () => {
  const { fleets, workspace, server } = await connected();
  await server.report(1, agentLines(room, begin));
  expect(await fleets.session(workspace, server.server, room)).toBeUndefined();
  await server.report(2, sessionLines(wholeCall));
  expect((await fleets.session(workspace, server.server, room))?.agents).toHaveLength(1);
  const other = await connected();
  await other.server.report(1, sessionLines(wholeCall));
  const theirs = await other.fleets.session(other.workspace, other.server.server, room);
  expect(theirs?.agents).toEqual([]);
});

test("what agents used is summed over a workspace's servers, once for each session", async () => {
  const { fleets, workspace, server } = await connected();
  await server.report(1, agentLines(room, begin));
  const day = Math.floor(begin / 86_400_000);
  const once = await fleets.agentUsage(workspace, { from: day, to: day });
  expect(once).toEqual([{ model: "m-1", counts: { input_tokens: 124, output_tokens: 28 } }]);
  // The session comes again, and another server has one of its own.
  await server.report(2, agentLines(room, begin, 9));
  const { token } = await fleets.makeToken({ workspace, deployment, uses: 1, hours: 72 });
  const second = new Machine(worker);
  await second.enrol(token);
  await second.report(1, agentLines(room, begin));
  const both = await fleets.agentUsage(workspace, { from: day, to: day });
  expect(both).toEqual([{ model: "m-1", counts: { input_tokens: 248, output_tokens: 56 } }]);
  expect(await fleets.agentUsage(workspace, { from: day + 1, to: day + 2 })).toEqual([]);
});
