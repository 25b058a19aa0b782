import { expect, test } from "vitest";
import {
  participantsIn,
  roomsIn,
} from "../../../../app/features/deployments/live-rooms/live-room.ts";
import { testRoomPrefix } from "../../../../app/features/deployments/test-room/room-name.ts";

const testRoom = `${testRoomPrefix}test`;

/** As LiveKit v1.13.11 answers ListRooms. */
const room = (name: string, num_participants: number, more: object = {}) => ({
  ...{ sid: `RM_${name}`, name, empty_timeout: 300, departure_timeout: 20, max_participants: 0 },
  ...{ creation_time: "1795913843", creation_time_ms: "1795913843985", turn_password: "1EjXtP5K" },
  ...{ enabled_codecs: [{ mime: "audio/opus", fmtp_line: "" }], metadata: '{"secret":1}' },
  ...{ num_participants, num_publishers: 0, active_recording: false, version: null },
  ...more,
});

test("rooms are listed with the fullest first, and nothing is kept of them that the page does not show", () => {
  const answer = {
    rooms: [
      room("b", 1),
      room(testRoom, 0),
      room("a", 1),
      room("full", 14, { active_recording: true }),
    ],
  };
  const startedAt = 1_795_913_843_000;
  expect(roomsIn(answer)).toEqual(
    [
      { sid: "RM_full", name: "full", participants: 14, isRecorded: true, isTest: false },
      { sid: "RM_a", name: "a", participants: 1, isRecorded: false, isTest: false },
      { sid: "RM_b", name: "b", participants: 1, isRecorded: false, isTest: false },
      ...[{ sid: `RM_${testRoom}`, name: testRoom, participants: 0 }].map((each) => ({
        ...{ ...each, isRecorded: false, isTest: true },
      })),
    ].map((each) => ({ ...each, startedAt })),
  );
  expect(roomsIn({ rooms: [] })).toEqual([]);
  expect(roomsIn({})).toEqual([]);
});

test("people are listed in the order in which they joined, with what they publish", () => {
  const answer = {
    participants: [
      {
        ...{ sid: "PA_2", identity: "bot", name: "bot", kind: "AGENT", state: "ACTIVE" },
        ...{ joined_at: "1795913900", permission: { hidden: true }, tracks: [] },
      },
      {
        ...{ sid: "PA_1", identity: "ada", name: "Ada L.", kind: "STANDARD", state: "ACTIVE" },
        ...{ joined_at: "1795913850", metadata: "m", attributes: {}, permission: null },
        tracks: [
          { sid: "TR_1", type: "AUDIO", source: "MICROPHONE", muted: false, name: "mic" },
          { sid: "TR_2", type: "VIDEO", source: "SCREEN_SHARE", muted: true },
          { sid: "TR_3", type: "VIDEO", source: "SOMETHING_NEW", muted: false },
        ],
      },
      { ...{ sid: "PA_3", identity: "gone", state: "DISCONNECTED", joined_at: "1795913851" } },
    ],
  };
  expect(participantsIn(answer)).toEqual([
    {
      ...{ sid: "PA_1", identity: "ada", name: "Ada L.", kind: "", isHidden: false },
      joinedAt: 1_795_913_850_000,
      tracks: [
        { sid: "TR_1", source: "microphone", isMuted: false },
        { sid: "TR_2", source: "screen", isMuted: true },
        { sid: "TR_3", source: "track", isMuted: false },
      ],
    },
    {
      ...{ sid: "PA_2", identity: "bot", name: "", kind: "agent", isHidden: true },
      ...{ joinedAt: 1_795_913_900_000, tracks: [] },
    },
  ]);
});

test.each([undefined, null, "OK", [], { rooms: "none" }, { rooms: [{ name: "a" }] }])(
  "%j is no list of rooms",
  (answer) => {
    expect(roomsIn(answer)).toBeUndefined();
  },
);

test.each(["OK", { participants: [{ sid: "PA_1" }] }])("%j is no list of people", (answer) => {
  expect(participantsIn(answer)).toBeUndefined();
});
