import { runSql } from "../site/control-fakes.ts";
import { Visitor } from "../site/visitor.ts";

/** Somebody without an account who has pressed the button of /try, in a browser of their own. */
export async function inTrial(url?: string, address?: string): Promise<Visitor> {
  const visitor = new Visitor(url, address);
  const begun = await visitor.post("/try", {});
  const location = begun.headers.get("location");
  if (location !== "/dashboard") {
    const [, why = ""] = /role="alert"[^>]*>([^<]*)/.exec(await begun.text()) ?? [];
    throw new Error(`No trial began: ${begun.status} ${location} ${why}`);
  }
  return visitor;
}

/** Whose the newest trial is, and its workspace. A file that ran before in the same site may have left an older one. */
export async function trialOf(): Promise<{ person: string; workspace: string }> {
  const [trial] = await runSql<{ person: string; workspace: string }>(
    "select user_id as person, workspace_id as workspace from public.trials order by ends_at desc limit 1",
  );
  if (!trial) throw new Error("There is no trial");
  return trial;
}
