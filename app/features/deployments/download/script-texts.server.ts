import scriptTexts from "virtual:bundle-scripts";
import { data } from "react-router";
import type { AppContext } from "~/http/app-context";
import { fetchAsset } from "~/http/assets.server";
import { describeError, log } from "~/platform/log/log.server";
import type { ScriptTexts } from "../bundle/script-texts.ts";
import { deploymentsUnreadable } from "../record/deployments.server";

type Context = Pick<AppContext, "bindings">;

/** The texts are kept, not the promise of them, which would fail, or never settle, with the request that began to read. */
let known: ScriptTexts | undefined;

/** The scripts that `bundle()` needs, read once for each isolate; undefined when they cannot be read now. */
export async function readScriptTexts(context: Context): Promise<ScriptTexts | undefined> {
  try {
    known ??= await (await fetchAsset(scriptTexts, context)).json<ScriptTexts>();
  } catch (error) {
    log.error("The scripts of bundles were not read", describeError(error));
  }
  return known;
}

/** As `readScriptTexts`, for a loader that has nothing to show without them. */
export async function scriptTextsOrThrow(context: Context): Promise<ScriptTexts> {
  const texts = await readScriptTexts(context);
  if (!texts) throw data(deploymentsUnreadable, { status: 503 });
  return texts;
}
