import { defaultConfiguration, voices } from "~/content/model-configuration";
import type { GuardRefusal } from "~/features/auth/guard/guarded-action.server";
import type { RequestScope } from "~/features/auth/session/session.server";
import { checkConfiguration } from "./configuration";
import { ownUnreadable, refusedChange, versionIn } from "./own-changes.server";
import type { OwnOutcome } from "./own-view";
import { readOwn } from "./own-view.server";

/** Whether the form was posted to save it, and not to open the saved configuration. `sent` is undefined where
 * the form was too long to be read, which only a form to be saved can be. */
export function isSave(sent: URLSearchParams | undefined): boolean {
  return !sent || sent.get("intent") === "save";
}

/** The form for browsers without script, with the saved configuration, or with what was typed and not saved. */
export async function formAfter(
  { session }: RequestScope,
  sent: URLSearchParams | undefined,
  outcome: OwnOutcome | undefined,
) {
  const form = sent ?? new URLSearchParams();
  const { state } = await session.visitor();
  const own = state === "signed-in" ? await readOwn(session) : undefined;
  const formValues = checkConfiguration(form, {
    modalities: defaultConfiguration.modalities,
    voices,
  });
  const shown = { inForce: own?.configuration, version: own?.version ?? 0 };
  if (outcome && !outcome.ok) {
    const { status, message, problems } = outcome;
    // After a 409 the form names the newest version, so that the next press saves over it. The message says so.
    const isShown = status === 409 || !sent;
    const version = isShown ? shown.version : versionIn(form);
    const saved = own?.configuration ?? defaultConfiguration;
    const configuration = sent ? formValues.configuration : saved;
    return { ...shown, version, status, form: { configuration, problems, failure: message } };
  }
  if (!own) {
    const configuration = outcome ? formValues.configuration : defaultConfiguration;
    return {
      ...shown,
      status: state === "signed-out" ? 401 : 503,
      form: { configuration, failure: ownUnreadable },
    };
  }
  return {
    ...shown,
    status: 200,
    form: { configuration: own.configuration, success: outcome?.message },
  };
}

/** The same form after a refusal by the guard. It keeps what was typed. */
export async function formRefused(
  scope: RequestScope,
  sent: URLSearchParams | undefined,
  refusal: GuardRefusal,
) {
  if (isSave(sent)) return formAfter(scope, sent, refusedChange(refusal));
  if (refusal.why === "unavailable") return formAfter(scope, sent, undefined);
  const { status, message } = refusal;
  const form = { configuration: defaultConfiguration, failure: message };
  return { inForce: undefined, version: 0, status, form };
}
