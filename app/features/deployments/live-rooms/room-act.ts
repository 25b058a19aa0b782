import * as z from "zod/mini";
import {
  type LiveParticipant,
  type LiveRoom,
  type LiveTrack,
  peopleCount,
  trackSources,
} from "./live-room";

/** What somebody does to a room, or to somebody in it. */
export type RoomAct =
  | { intent: "end"; room: LiveRoom }
  | { intent: "remove"; room: LiveRoom; participant: LiveParticipant }
  | { intent: "mute"; room: LiveRoom; participant: LiveParticipant; track: LiveTrack };

export type RoomActIntent = RoomAct["intent"];

const room = z.string().check(z.regex(/^RM_[A-Za-z0-9]{4,40}$/));
const participant = z.string().check(z.regex(/^PA_[A-Za-z0-9]{4,40}$/));

/**
 * What the audit log is told of an act: the sids that sessions have too, and counts. Names and identities of the
 * customer's own users stay with the customer.
 */
export const noteSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("end"),
    room,
    participants: z.pipe(z.string().check(z.regex(/^\d{1,6}$/)), z.transform(Number)),
  }),
  z.object({ intent: z.literal("remove"), room, participant }),
  z.object({ intent: z.literal("mute"), room, participant, source: z.enum(trackSources) }),
]);

/** Whether an act was noted, and so may be done; the browser then does it at the customer's own server. */
export type NoteAnswer = { isNoted: true } | { isNoted: false; message: string };

/** The same as the fields of a form. */
export function noteOf(act: RoomAct): Record<string, string> {
  const { intent, room } = act;
  if (act.intent === "end") {
    return { intent, room: room.sid, participants: String(room.participants) };
  }
  const who = { intent, room: room.sid, participant: act.participant.sid };
  return act.intent === "mute" ? { ...who, source: act.track.source } : who;
}

/** The call of LiveKit's RoomService that does it. */
export function callOf(act: RoomAct) {
  const room = act.room.name;
  switch (act.intent) {
    case "end":
      return { method: "DeleteRoom", body: { room } } as const;
    case "remove":
      return {
        method: "RemoveParticipant",
        body: { room, identity: act.participant.identity },
      } as const;
    case "mute":
      return {
        method: "MutePublishedTrack",
        body: {
          ...{ room, identity: act.participant.identity },
          ...{ track_sid: act.track.sid, muted: true },
        },
      } as const;
  }
}

export type ConfirmWords = { title: string; says: string; button: string; busy: string };

/** What is lost, before it is. Undefined for a mute, which the muted person takes back with a press. */
export function confirmWords(act: RoomAct): ConfirmWords | undefined {
  switch (act.intent) {
    case "end": {
      const { participants } = act.room;
      const count = peopleCount(participants);
      const who =
        participants === 0
          ? "Nobody is in it."
          : `${count} ${participants === 1 ? "is" : "are"} in it, and disconnected at once.`;
      return {
        title: "End this room?",
        says: `${who} A recording of it ends. Whoever has a token that is still good can open the room again: your back end decides that.`,
        button: participants === 0 ? "End the room" : `End the room for ${count}`,
        busy: "Ending…",
      };
    }
    case "remove":
      return {
        title: "Remove this participant?",
        says: "Their call ends at once. They can come back while a token of theirs is good: your back end decides that.",
        button: "Remove the participant",
        busy: "Removing…",
      };
    case "mute":
      return;
  }
}

/** What was done. `wasOver`: whether LiveKit knew the room or the participant no more. */
export function doneWords(act: RoomAct, wasOver: boolean): string {
  if (wasOver) return "It was over already: the room had ended, or the participant had left.";
  switch (act.intent) {
    case "end":
      return act.room.participants === 0
        ? "The room was ended."
        : `The room was ended for ${peopleCount(act.room.participants)}.`;
    case "remove":
      return "The participant was removed.";
    case "mute":
      return `The ${act.track.source} was muted. Whoever sends it can switch it on again.`;
  }
}
