import { expect, test } from "vitest";
import { readRoomsToken } from "../../../../app/features/deployments/live-rooms/rooms-token.ts";

const now = Date.parse("2026-11-29T03:00:00Z");
const exp = now / 1_000 + 300;
const listing = { roomList: true, roomCreate: true };

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const tokenOf = (video: unknown, more: object = {}) =>
  `${part({ alg: "HS256" })}.${part({ iss: "APIabc", exp, video, ...more })}.c2lnbmF0dXJl`;
const problemOf = (typed: string) => {
  const read = readRoomsToken(typed, now);
  return read.ok ? undefined : read.problem;
};

test("a token of five minutes is taken as it was pasted, with what it is good for", () => {
  const text = tokenOf(listing);
  expect(readRoomsToken(`\n  ${text} \n`, now)).toEqual({
    ok: true,
    token: { text, endsAt: exp * 1_000, mayEnd: true },
  });
  const ofRoom = tokenOf({ ...listing, roomAdmin: true, room: "stand-up" });
  expect(readRoomsToken(ofRoom, now)).toMatchObject({ ok: true, token: { room: "stand-up" } });
  const listOnly = tokenOf({ roomList: true, room: "stand-up" });
  expect(readRoomsToken(listOnly, now)).toEqual({
    ok: true,
    token: { text: listOnly, endsAt: exp * 1_000, mayEnd: false },
  });
});

test("what the server libraries add to a token that joins no room does not make it one that allows more", () => {
  const video = { ...listing, canPublish: true, canSubscribe: true, canPublishData: true };
  expect(problemOf(tokenOf({ ...video, roomJoin: false, recorder: false }))).toBeUndefined();
});

test.each([
  ["", "Paste a token."],
  ["eyJ", "not a whole token"],
  ["a.b.c", "not a whole token"],
  [`${tokenOf(listing)}.d`, "not a whole token"],
  [tokenOf("roomList"), "not a whole token"],
  [tokenOf({ roomCreate: true }), "does not list rooms"],
  [tokenOf({ roomList: "yes" }), "does not list rooms"],
  [tokenOf({ ...listing, roomJoin: true, room: "a" }), "allows more than this page needs"],
  [tokenOf({ ...listing, roomRecord: true }), "allows more than this page needs"],
  [tokenOf({ ...listing, ingressAdmin: true }), "allows more than this page needs"],
  [tokenOf({ ...listing, grantOfTomorrow: true }), "allows more than this page needs"],
  [tokenOf(listing, { sip: { admin: true } }), "allows more than this page needs"],
  [tokenOf(listing, { exp: now / 1_000 }), "has ended"],
  [tokenOf(listing, { exp: exp + 61 }), "good for more than five minutes"],
  [tokenOf(listing, { exp: exp + 21_600 }), "good for more than five minutes"],
])("a token like %s is refused, with the command that makes one", (typed, words) => {
  expect(problemOf(typed)).toContain(words);
  expect(problemOf(typed)).toContain("sudo livekit-deploy rooms-token");
});

test("a minute between two clocks is no reason to refuse", () => {
  expect(problemOf(tokenOf(listing, { exp: exp + 59 }))).toBeUndefined();
});
