import { type FormEvent, useState } from "react";
import { Button } from "~/ui/primitives/button";
import { TextAreaField } from "~/ui/primitives/fields";
import { CommandBox } from "../page/command-box";
import type { LiveRoom } from "./live-room";
import { type RoomsToken, readRoomsToken } from "./rooms-token";

/**
 * Takes a token that the server or the customer's back end made. The field has no name, so that no browser puts it into a
 * request or an address, and it is emptied once the token is taken.
 */
export function TokenForm({
  room,
  take,
}: {
  /** The room for whose people it has to be. */
  room?: LiveRoom;
  take: (token: RoomsToken) => void;
}) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    const read = readRoomsToken(typed, Date.now());
    if (!read.ok) return setProblem(read.problem);
    if (room && read.token.room !== room.name) {
      return setProblem("This token is not for the people of this room. Use the command above.");
    }
    setTyped("");
    setProblem(undefined);
    take(read.token);
  }

  return (
    <form onSubmit={submit} noValidate className="grid max-w-prose gap-6 not-scripted:hidden">
      <CommandBox
        text={`sudo livekit-deploy rooms-token${room ? ` ${room.sid}` : ""}`}
        label="the command"
      />
      <TextAreaField
        label="Token"
        rows={3}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        error={problem}
        onChange={({ target }) => setTyped(target.value)}
        hint="What that command prints on the server. It is good for five minutes, stays in this page, and goes to your server alone."
      />
      <div>
        <Button type="submit">{room ? "Show its participants" : "Show the rooms"}</Button>
      </div>
    </form>
  );
}
