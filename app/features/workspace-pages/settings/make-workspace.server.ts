import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { workspaceWords } from "../workspace-words.server";

type Made = { ok: true; slug: string } | { ok: false; status: 400 | 409 | 503; message: string };

/** Makes a workspace that a person owns. */
export async function makeWorkspace(app: AppContext, person: string, name: string): Promise<Made> {
  const { refused } = await workspaceWords(app);
  const database = serviceClient(app.configuration, app.caller);
  const id = crypto.randomUUID();
  const { data, error } = await database.rpc("create_workspace", {
    actor: person,
    new_id: id,
    new_name: name,
  });
  if (error || data === "missing") return unavailable(error);
  if (data === "name") return { ok: false, status: 400, message: refused.name };
  if (data === "too many owned") {
    return { ok: false, status: 409, message: refused["owns too many"] };
  }
  if (data !== "made") return { ok: false, status: 409, message: refused["too many workspaces"] };
  const made = await database.from("workspaces").select("slug").eq("id", id).single();
  return made.error ? unavailable(made.error) : { ok: true, slug: made.data.slug };

  function unavailable(cause: unknown): Made {
    log.error("A workspace could not be made", describeError(cause));
    return { ok: false, status: 503, message: refused.unavailable };
  }
}
