import { PastedTokenForm } from "../page/pasted-token-form";
import type { LiveRoom } from "./live-room";
import { type RoomsToken, readRoomsToken } from "./rooms-token";

/** Takes a token that the server or the customer's back end made. */
export function RoomsTokenForm({
  room,
  take,
}: {
  /** The room for whose people it has to be. */
  room?: LiveRoom;
  take: (token: RoomsToken) => void;
}) {
  return (
    <PastedTokenForm
      command={`sudo livekit-deploy rooms-token${room ? ` ${room.sid}` : ""}`}
      lifetime="five minutes"
      action={room ? "Show its participants" : "Show the rooms"}
      take={(typed) => {
        const read = readRoomsToken(typed, Date.now());
        if (!read.ok) return read.problem;
        if (room && read.token.room !== room.name) {
          return "This token is not for the people of this room. Use the command above.";
        }
        take(read.token);
      }}
    />
  );
}
