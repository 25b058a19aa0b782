import { expect, test } from "vitest";
import type {
  LiveParticipant,
  LiveRoom,
} from "../../../../app/features/deployments/live-rooms/live-room.ts";
import {
  callOf,
  confirmWords,
  doneWords,
  noteOf,
  noteSchema,
  type RoomAct,
} from "../../../../app/features/deployments/live-rooms/room-act.ts";

const room: LiveRoom = {
  ...{ sid: "RM_k3KR8L8i5SJd", name: "therapy of Ada", participants: 14, startedAt: 0 },
  ...{ isRecorded: false, isTest: false },
};
const participant: LiveParticipant = {
  ...{ sid: "PA_RzM4p5wQ44Va", identity: "ada@example.com", name: "Ada L.", kind: "" },
  ...{ joinedAt: 0, isHidden: false, tracks: [] },
};
const track = { sid: "TR_AMx", source: "microphone", isMuted: false } as const;
const acts: readonly RoomAct[] = [
  { intent: "end", room },
  { intent: "remove", room, participant },
  { intent: "mute", room, participant, track },
];

test("the audit log is told sids and counts: no name and no identity of a customer's users", () => {
  expect(acts.map(noteOf)).toEqual([
    { intent: "end", room: room.sid, participants: "14" },
    { intent: "remove", room: room.sid, participant: participant.sid },
    { ...{ intent: "mute", room: room.sid, participant: participant.sid }, source: "microphone" },
  ]);
  expect(acts.map((act) => noteSchema.parse(noteOf(act)))).toHaveLength(3);
});

test.each([
  { intent: "end", room: "therapy of Ada", participants: "1" },
  { intent: "end", room: "RM_k3KR8L8i5SJd", participants: "many" },
  { intent: "end", room: "RM_k3KR8L8i5SJd" },
  { intent: "remove", room: "RM_k3KR8L8i5SJd", participant: "ada@example.com" },
  {
    ...{ intent: "mute", room: "RM_k3KR8L8i5SJd", participant: "PA_RzM4p5wQ44Va" },
    source: "the microphone of Ada",
  },
  { intent: "record", room: "RM_k3KR8L8i5SJd" },
])("%j is not noted", (note) => {
  expect(noteSchema.safeParse(note).success).toBe(false);
});

test("what else somebody sends along is not noted", () => {
  const sent = { ...noteOf({ intent: "end", room }), name: room.name };
  expect(noteSchema.parse(sent)).toEqual({ intent: "end", room: room.sid, participants: 14 });
});

test("each act is one call of the server, which knows rooms and people by name", () => {
  expect(acts.map(callOf)).toEqual([
    { method: "DeleteRoom", body: { room: room.name } },
    {
      method: "RemoveParticipant",
      body: { room: room.name, identity: participant.identity },
    },
    {
      method: "MutePublishedTrack",
      body: { room: room.name, identity: participant.identity, track_sid: "TR_AMx", muted: true },
    },
  ]);
});

test.each([
  [0, "Nobody is in it.", "End the room"],
  [1, "1 participant is in it, and disconnected at once.", "End the room for 1 participant"],
  [14, "14 participants are in it, and disconnected", "End the room for 14 participants"],
])("ending a room of %i says whom it disconnects, before it does", (participants, says, button) => {
  const words = confirmWords({ intent: "end", room: { ...room, participants } });
  expect(words?.says).toContain(says);
  expect(words?.button).toBe(button);
});

test("removing is confirmed, and a mute, which is taken back by a press, is not", () => {
  const [, remove, mute] = acts;
  expect(remove && confirmWords(remove)?.says).toContain("They can come back");
  expect(mute && confirmWords(mute)).toBeUndefined();
});

test("what was over already is not said to have been done", () => {
  const [end] = acts;
  expect(end && doneWords(end, false)).toBe("The room was ended for 14 participants.");
  expect(end && doneWords(end, true)).toContain("over already");
});
