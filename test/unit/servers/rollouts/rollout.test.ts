import { expect, test } from "vitest";
import {
  atTime,
  type MachineStep,
  type Rollout,
  withAbort,
  withApproval,
  withStep,
} from "~/features/servers/rollouts/rollout.ts";

const day = 86_400_000;
const of = (servers: string[], needed = 1): Rollout => ({
  ...{ id: "r", deployment: "d", version: 2, isLower: false, manifest: "m", needed },
  ...{ requestedAt: 0, requestedBy: "CI", endsAt: day, approvals: [] },
  targets: servers.map((server) => ({
    ...{ server, name: server, state: "requested", steps: [{ state: "requested", at: 0 }] },
  })),
});
const approval = (person: string) => ({
  ...{ person, by: person, fingerprint: "f", at: 1 },
  assertion: { credential: "c", authenticatorData: "a", clientData: "d", signature: "s" },
});
const states = ({ targets }: Rollout) => targets.map(({ state }) => state);
const said = (rollout: Rollout, server: string, ...steps: MachineStep[]): Rollout => {
  let now = rollout;
  for (const step of steps) now = withStep(now, server, { step }, 5) ?? now;
  return now;
};

test("nothing that a machine says counts before enough people have approved", () => {
  const two = withApproval(of(["a"], 2), approval("ada"));
  expect(states(two)).toEqual(["requested"]);
  expect(withStep(two, "a", { step: "fetched" }, 5)).toBeUndefined();
  expect(states(withApproval(two, approval("bob")))).toEqual(["approved"]);
});

test("servers of one deployment go one after the other, and a failure keeps the rest from beginning", () => {
  const begun = withApproval(of(["a", "b", "c"]), approval("ada"));
  expect(withStep(begun, "b", { step: "fetched" }, 5)).toBeUndefined();
  const first = said(begun, "a", "fetched", "checked", "draining", "applying", "applied", "proved");
  expect(states(first)).toEqual(["proved", "approved", "approved"]);
  const failed = withStep(first, "b", { step: "rolled-back", reason: "livekit.silent" }, 5);
  expect(failed && states(failed)).toEqual(["proved", "rolled-back", "aborted"]);
  expect(failed?.targets[1]?.reason).toBe("livekit.silent");
});

test("a machine that repeats itself or comes late changes nothing, and an end is one", () => {
  const begun = said(withApproval(of(["a"]), approval("ada")), "a", "draining");
  expect(withStep(begun, "a", { step: "fetched" }, 5)).toBeUndefined();
  const ended = said(begun, "a", "refused");
  expect(withStep(ended, "a", { step: "proved" }, 5)).toBeUndefined();
});

test("an abort ends at once what no machine has begun, is asked of one that drains, and comes too late after that", () => {
  expect(states(withAbort(of(["a"]), 5, "ada") as Rollout)).toEqual(["aborted"]);
  const draining = said(withApproval(of(["a"]), approval("ada")), "a", "draining");
  const requested = withAbort(draining, 5, "ada") as Rollout;
  expect([states(requested), requested.targets[0]?.isAborting]).toEqual([["draining"], true]);
  expect(said(requested, "a", "aborted").targets[0]).not.toHaveProperty("isAborting");
  expect(withAbort(said(draining, "a", "applying"), 5, "ada")).toBeUndefined();
});

test("what was not begun in time is over, and one that never said how it ended too, half a day later", () => {
  expect(states(atTime(of(["a"]), day - 1))).toEqual(["requested"]);
  expect(states(atTime(of(["a"]), day))).toEqual(["expired"]);
  const begun = said(withApproval(of(["a", "b"]), approval("ada")), "a", "draining");
  expect(states(atTime(begun, day))).toEqual(["draining", "approved"]);
  expect(states(atTime(begun, day + 13 * 3_600_000))).toEqual(["expired", "aborted"]);
});
