import { expect, test } from "vitest";
import type { ServerRecord } from "~/features/servers/state/server-record.ts";
import { mayBeAnotherNode } from "../../../../app/features/servers/state/probe.server.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";

const hour = 60 * minute;
const node: ServerRecord = {
  ...{ id: "node", deployment: "deployment", name: "sfu-1", enrolledAt: begin, keyHash: "" },
  ...{ machine: "one", instance: "i-1", refused: [], boots: [], changes: [] },
  ...{ domain: "rtc.example.com", bucket: { left: 10, at: begin }, reportAt: begin + 2 * hour },
};
/** Reported for an hour, and is silent since. */
const silent: ServerRecord = {
  ...{ ...node, id: "silent", reportAt: begin + hour },
  silence: { foundAt: begin + hour + 3 * minute },
};
const beside = { ...node, id: "beside", instance: "i-2", domain: "RTC.example.com" };
const again = { ...node, id: "again", enrolledAt: begin + hour };
const replacement = {
  ...beside,
  id: "replacement",
  machine: "two",
  enrolledAt: begin + 61 * minute,
};
const why = { why: "plan-limit", allowed: 1, since: begin } as const;

test.for([
  ["another node that reports beside it", [beside], true],
  ["nobody else", [], false],
  ["a node of another domain", [{ ...beside, domain: "other.example.com" }], false],
  ["a node that is silent too", [{ ...beside, silence: { foundAt: begin } }], false],
  ["a node that is paused", [{ ...beside, suspension: why }], false],
  ["the machine itself, connected again", [again], false],
  ["the machine itself, connected again beside another node", [beside, again], false],
  ["a VM that was connected after its last report", [replacement], false],
  ["such a VM beside another node", [beside, replacement], false],
] as const)("an answer at a silent server's domain may be of %s: %#", ([, others, isOfAnother]) => {
  expect(mayBeAnotherNode(silent, [silent, ...others])).toBe(isOfAnother);
});
