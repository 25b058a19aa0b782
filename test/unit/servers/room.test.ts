import { expect, test } from "vitest";
import {
  countRefusal,
  machineCount,
  mostMachines,
} from "~/features/servers/connect/machine-count.ts";
import { noRoom, roomLeft, roomOf, roomWords } from "~/features/servers/connect/room.ts";

const connected = { retiredAt: undefined };
const disconnected = { retiredAt: 1 };

test("a server that was disconnected takes no room in the plan", () => {
  const room = roomOf("Basic", [disconnected]);
  expect(roomLeft(room)).toBe(1);
  expect(noRoom(room)).toBeUndefined();
  expect(roomWords(room)).toBe("Your plan has one server, and none is connected.");
});

test("after a change to a smaller plan there is no room, and not less than none", () => {
  const room = roomOf("Basic", [connected, connected]);
  expect(roomLeft(room)).toBe(0);
  expect(noRoom(room)).toMatch(/^Your plan has one server/);
});

test("each plan says why it is full; where that is not known nothing is said", () => {
  expect(noRoom(roomOf(undefined, []))).toMatch(/^Servers are connected with a plan/);
  expect(noRoom(roomOf("Pro", Array(500).fill(connected)))).toMatch(
    /^Your plan has 500 servers, and all/,
  );
  expect(noRoom(undefined)).toBeUndefined();
});

test("a number of machines is a whole one from 1 to 50, and one where none is sent", () => {
  expect([null, "1", " 50 ", "007"].map(machineCount)).toEqual([1, 1, 50, 7]);
  for (const wrong of ["", "0", "51", "-1", "1.5", "1e1", "٣", "0x5"]) {
    expect(machineCount(wrong), wrong).toBeUndefined();
  }
  expect(countRefusal()).toContain(`1 to ${mostMachines}`);
  expect(countRefusal(2)).toBe("Your plan has room for 2 more servers.");
});
