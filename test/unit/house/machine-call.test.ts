import { expect, test } from "vitest";
import { help, readCall } from "../../../scripts/dev/machine/call.ts";

test("npm run machine -- --cluster has Egress machines beside the others where --egress says so", () => {
  expect(readCall(["--token", "--cluster", "3"])).toMatchObject({ cluster: 3, egress: 0 });
  const call = readCall(["--token", "--cluster", "3", "--egress", "2", "--fault", "egress"]);
  expect(call).toMatchObject({ cluster: 3, egress: 2, clusterFault: "egress", fault: undefined });
  expect(help).toMatch(/^ {2}--egress N /m);
  expect(help).toMatch(/^ +egress +one of its Egress machines is lost/m);
});

test.for([
  [["--egress", "1"], "--egress goes with --cluster."],
  [["--cluster", "3", "--egress", "0"], "--egress takes a whole number from 1 to 9."],
  [["--cluster", "3", "--fault", "egress"], "--fault egress goes with --egress."],
  [["--fault", "egress"], "There is no fault egress."],
] as const)("npm run machine -- %j is refused", ([args, words]) => {
  expect(() => readCall(args)).toThrow(words);
});
