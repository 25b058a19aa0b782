import * as z from "zod/mini";
import type { Session } from "~/features/auth/session/session.server";
import { ownerOfSentSession } from "~/features/auth/session/session-cookies.server";
import type { AppContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { removalOf } from "~/http/cookies";
import { sealedCookie } from "~/http/cookies.server";
import { consoleBase } from "~/ui/console/console-path";
import { type PostedForm, readPostedForm } from "./posted-form";

const shape = z.object({ owner: z.string(), path: z.string(), body: z.string() });

/** A cookie holds about 4 kB, and encryption makes the text a third longer. */
const maxBody = 2500;

/**
 * What somebody posted while their session had ended or nobody could check it, kept in their own browser until they
 * are back: nothing can be stored with us for somebody whom nobody has identified. Then it becomes their unsaved
 * changes. It is sealed and names its owner: another user who signs in here is not shown it.
 */
function formCookie(context: AppContext) {
  return sealedCookie(context, "unsaved-form", shape);
}

/** The Set-Cookie header that keeps a posted form for the page at its address. */
export async function keepForm(context: AppContext, request: Request): Promise<string | undefined> {
  const path = pathOf(request);
  if (!path.startsWith(`${consoleBase(path)}/deployments/`)) return;
  const owner = await ownerOfSentSession(request);
  const body = (await readForm(request)).toString();
  if (!owner || body === "" || body.length > maxBody) return;
  return formCookie(context).keep({ owner, path, body });
}

/**
 * The path of the page that a request is of: without `.data`, which React Router adds when a script asks for a page's
 * data, and for what a script keeps of a form (`/unsaved`) the path of the form.
 */
function pathOf({ url }: Request): string {
  const path = new URL(url).pathname.replace(/\.data$/, "");
  return path.replace(/\/new\/unsaved$/, "/new").replace(/\/unsaved$/, "/edit");
}

/** What this person posted to this address, and their id. */
export async function readKeptForm(
  context: AppContext,
  request: Request,
  session: Session,
): Promise<(PostedForm & { owner: string }) | undefined> {
  const savedForm = await formCookie(context).read(request);
  const visitor = await session.visitor();
  if (!savedForm || visitor.state !== "signed-in" || visitor.userId !== savedForm.owner) return;
  if (savedForm.path !== pathOf(request)) return;
  return { ...readPostedForm(new URLSearchParams(savedForm.body)), owner: savedForm.owner };
}

/** The Set-Cookie header that forgets it, once it is saved or is kept with us. */
export const savedFormRemoval = removalOf("unsaved-form");
