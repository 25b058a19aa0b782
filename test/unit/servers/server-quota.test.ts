import { expect, test } from "vitest";
import {
  countRefusal,
  machineCount,
  maxMachines,
  quotaRefusal,
  quotaWords,
  serverQuotaOf,
  serversLeft,
} from "~/features/servers/connect/server-quota.ts";

const connected = { retiredAt: undefined };
const disconnected = { retiredAt: 1 };

test("a server that was disconnected does not count in the quota", () => {
  const quota = serverQuotaOf("Basic", [disconnected]);
  expect(serversLeft(quota)).toBe(1);
  expect(quotaRefusal(quota)).toBeUndefined();
  expect(quotaWords(quota)).toBe("Your plan has one server, and none is connected.");
});

test("after a change to a smaller plan nothing is left, and not less than nothing", () => {
  const quota = serverQuotaOf("Basic", [connected, connected]);
  expect(serversLeft(quota)).toBe(0);
  expect(quotaRefusal(quota)).toMatch(/^Your plan has one server/);
});

test("each plan says why it is full; where that is not known nothing is said", () => {
  expect(quotaRefusal(serverQuotaOf(undefined, []))).toMatch(/^Servers are connected with a plan/);
  expect(quotaRefusal(serverQuotaOf("Pro", Array(500).fill(connected)))).toMatch(
    /^With your plan up to 500 machines may report here, and all/,
  );
  expect(quotaRefusal(undefined)).toBeUndefined();
});

test("a number of machines is a whole one from 1 to 50, and one where none is sent", () => {
  expect([null, "1", " 50 ", "007"].map(machineCount)).toEqual([1, 1, 50, 7]);
  for (const wrong of ["", "0", "51", "-1", "1.5", "1e1", "٣", "0x5"]) {
    expect(machineCount(wrong), wrong).toBeUndefined();
  }
  expect(countRefusal()).toContain(`1 to ${maxMachines}`);
  expect(countRefusal(2)).toBe("Your plan has room for 2 more servers.");
});

test("the number of machines that may report is not said to be what the plan has of servers to make (M11)", () => {
  expect(quotaWords({ allowed: 500, connected: 1 })).toBe(
    "With your plan up to 500 machines may report here, and one is connected.",
  );
});
