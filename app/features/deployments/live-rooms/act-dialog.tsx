import { Button } from "~/ui/primitives/button";
import { Dialog } from "~/ui/primitives/dialog";
import { Message } from "~/ui/primitives/message";
import type { LiveRoom } from "./live-room";
import { confirmWords } from "./room-act";
import type { RoomActs } from "./use-room-acts";

/** Says what is lost and asks once more; stays open until it is done, and says why where it is not. */
export function ActDialog({
  acts: { state, isBusy, order, close },
  rooms,
}: {
  acts: RoomActs;
  /** As they are now: people come and go while somebody reads. */
  rooms: readonly LiveRoom[];
}) {
  if (state.step === "none" || state.step === "done") return null;
  const room = rooms.find(({ sid }) => sid === state.act.room.sid) ?? state.act.room;
  const act = { ...state.act, room };
  const words = confirmWords(act);
  if (!words) return null;
  return (
    <Dialog title={words.title} closeTo="." onClose={close} className="max-w-lg">
      <div className="grid gap-4">
        <p className="font-mono wrap-anywhere">
          <bdi>{act.intent === "end" ? act.room.name : act.participant.identity}</bdi>
        </p>
        <p>{words.says}</p>
        {state.step === "failed" ? <Message kind="failure">{state.message}</Message> : null}
        <div className="flex flex-wrap gap-3">
          {/* It comes first, so that a second press of Enter loses nothing. */}
          <Button variant="secondary" onClick={close}>
            {act.intent === "end" ? "Keep the room" : "Keep them"}
          </Button>
          <Button variant="danger" aria-disabled={isBusy} onClick={() => isBusy || order(act)}>
            {isBusy ? words.busy : words.button}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
