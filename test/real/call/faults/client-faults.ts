// What is wrong with tokens, rooms and devices, and what people do.
import type { Fault } from "./fault.ts";

export const clientFaults: readonly Fault[] = [
  {
    name: "the token has ended",
    causes: ["token.ended"],
    happen: ({ talk }) => talk(["desk", "home"], { token: { seconds: -3_600, beginsIn: -7_200 } }),
  },
  {
    name: "the clock of the back end is an hour ahead",
    causes: ["token.early"],
    happen: ({ talk }) => talk(["desk", "home"], { token: { seconds: 7_200, beginsIn: 3_600 } }),
  },
  {
    name: "the key of the back end is of no machine of theirs",
    causes: ["absent"],
    happen: ({ join }) =>
      Promise.all([join("desk", { token: { secret: "x".repeat(44) } }), join("home")]),
  },
  {
    name: "LiveKit runs with other keys than the machine's file has",
    causes: ["token.refused"],
    happen: async ({ server, talk }) => {
      await server.restart({ keys: { APIanother: "y".repeat(44) } });
      await talk(["desk"]);
    },
  },
  {
    name: "somebody is removed",
    causes: ["said.PARTICIPANT_REMOVED"],
    happen: async ({ server, room, join, reported }) => {
      await Promise.all([join("desk"), join("home")]);
      server.remove(room, "desk");
      await reported("participant_left", "desk");
    },
  },
  {
    name: "the room is deleted",
    causes: ["said.ROOM_DELETED"],
    happen: async ({ server, room, join, reported }) => {
      await Promise.all([join("desk"), join("home")]);
      server.deleteRoom(room);
      await reported("participant_left", "desk");
    },
  },
  {
    name: "the same identity joins in a second tab",
    causes: ["said.DUPLICATE_IDENTITY"],
    happen: async ({ join, reported }) => {
      await Promise.all([join("desk"), join("home")]);
      await join("colleague", { token: { identity: "desk" } });
      await reported("participant_left", "desk");
    },
  },
  {
    name: "the room is full",
    causes: ["join.refused"],
    happen: async ({ server, room, join, reported }) => {
      server.createRoom(room, { maxParticipants: 1 });
      await join("home");
      await join("desk");
      await reported("call_evidence", "desk", "failed");
    },
  },
  {
    name: "the page is loaded again",
    causes: ["reloaded"],
    happen: async ({ join, reported, rejoin }) => {
      const [{ person }] = await Promise.all([join("desk"), join("home")]);
      await reported("participant_joined", "desk");
      await person.reload();
      await rejoin(person, "desk");
      await reported("participant_left", "desk");
    },
  },
  {
    name: "the browser is killed",
    // To LiveKit it is a network that went away, and the sentence names both.
    causes: ["break.unknown", "break.network"],
    happen: async ({ join, joinAlone, reported }) => {
      const [{ person }] = await Promise.all([joinAlone("desk"), join("home")]);
      await reported("participant_joined", "desk");
      await person.killBrowser();
      await reported("participant_left", "desk");
    },
  },
  {
    name: "the browser may not use the camera",
    causes: ["device.camera"],
    happen: ({ talk }) =>
      talk(["desk", "home"], { silent: true, camera: true, kind: { devices: "refused" } }),
  },
  {
    name: "there is no microphone",
    causes: ["device.microphone"],
    happen: ({ talk }) => talk(["desk", "home"], { kind: { devices: "none" } }),
  },
  {
    name: "a telephone leaves its Wi-Fi",
    causes: ["break.network"],
    happen: async ({ network, join, reported }) => {
      await Promise.all([join("desk"), join("home")]);
      await reported("participant_joined", "desk");
      network.unplug("desk");
      await reported("participant_left", "desk");
    },
  },
  {
    name: "an office loses its line",
    causes: ["break.network"],
    happen: async ({ network, join, reported }) => {
      await Promise.all([join("desk"), join("colleague"), join("home")]);
      await reported("call_evidence", "desk", "connected");
      await reported("call_evidence", "colleague", "connected");
      network.unplug("desk");
      network.unplug("colleague");
      await reported("participant_left", "desk");
      await reported("participant_left", "colleague");
    },
  },
];
