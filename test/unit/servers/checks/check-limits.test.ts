import { expect, test } from "vitest";
import {
  countRequestedCheck,
  type RequestedChecks,
} from "~/features/servers/checks/check-limits.ts";

const minute = 60_000;
const begin = Date.UTC(2026, 10, 28);

function countAll(from: RequestedChecks, requests: readonly [deployment: string, at: number][]) {
  let requested = from;
  const waits = requests.map(([deployment, at]) => {
    const counted = countRequestedCheck(requested, deployment, at);
    if ("waitMs" in counted) return counted.waitMs;
    requested = counted.requested;
    return 0;
  });
  return { requested, waits };
}
const every = (count: number, deployment: string) =>
  Array.from({ length: count }, (_, at) => [deployment, begin + at * minute] as [string, number]);

test("ten checks of a deployment are allowed in an hour, and the next when the first is an hour old", () => {
  const { waits } = countAll({}, [
    ...every(11, "one"),
    ["two", begin + 11 * minute],
    ["one", begin + 60 * minute - 1],
    ["one", begin + 60 * minute],
  ]);
  expect(waits).toEqual([...Array(10).fill(0), 50 * minute, 0, 1, 0]);
});

test("thirty of a workspace are, of however many deployments", () => {
  const ids = ["one", "two", "three"].flatMap((id) => every(10, id));
  const { waits, requested } = countAll({}, [...ids, ["four", begin + 10 * minute]]);
  expect(waits).toEqual([...Array(30).fill(0), 50 * minute]);
  // What is older than an hour is forgotten.
  const later = countAll(requested, [["four", begin + 200 * minute]]);
  expect(Object.keys(later.requested)).toEqual(["four"]);
});
