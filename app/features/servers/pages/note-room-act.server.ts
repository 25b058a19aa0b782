import { data } from "react-router";
import {
  type NoteAnswer,
  noteSchema,
  type RoomActIntent,
} from "~/features/deployments/live-rooms/room-act";
import type { Deployment } from "~/features/deployments/stored-deployment";
import { auditServerChange, type ChangeScope, type serverActions } from "../audit-change.server";

const actions: Record<RoomActIntent, (typeof serverActions)[number]> = {
  end: "room.end-ordered",
  remove: "room.removal-ordered",
  mute: "room.mute-ordered",
};

/** Writes the line of the audit log before the act, so that none from this page is missing there. */
export async function noteRoomAct(
  scope: ChangeScope & { deployment: Pick<Deployment, "id" | "name">; form: URLSearchParams },
) {
  const { deployment, form } = scope;
  const read = noteSchema.safeParse(Object.fromEntries(form));
  if (!read.success) {
    const message = "This form is not known here. Load the page again.";
    return data<NoteAnswer>({ isNoted: false, message }, { status: 400 });
  }
  const { intent, ...after } = read.data;
  const noted = await auditServerChange(scope, {
    ...{ action: actions[intent], after },
    ...{ target: deployment.name, targetId: deployment.id },
  });
  if (noted.ok) return data<NoteAnswer>({ isNoted: true });
  return data<NoteAnswer>({ isNoted: false, message: noted.message }, { status: noted.status });
}
