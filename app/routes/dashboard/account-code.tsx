import type { User } from "@supabase/supabase-js";
import { data, Form, redirect, useNavigation } from "react-router";
import type { TextedCode } from "~/features/account/settings/account-outcome";
import { accountWords } from "~/features/account/settings/account-view.server";
import {
  phoneFactorsOf,
  textSignInCode,
  tryTextedCode,
} from "~/features/account/settings/second-factor/phone-factor.server";
import { TextedCodeFields } from "~/features/account/settings/second-factor/phone-factor-view";
import { spendRecoveryCode } from "~/features/account/settings/second-factor/recovery-codes.server";
import { isApp, tryCode } from "~/features/account/settings/second-factor/second-factor.server";
import { noteSignIn } from "~/features/account/sign-in/arrive.server";
import { guarded, requireVerifiedUser } from "~/features/auth/guard.server";
import { phoneEnding } from "~/features/auth/phone-number.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { nextPath } from "~/http/page-addresses";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/account-code";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Second factor") },
  { name: "robots", content: "noindex" },
];

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const handle = {
  breadcrumbs: () => [
    { to: "/dashboard/account", label: "Account" },
    { to: "/dashboard/account/code", label: "Second factor" },
  ],
} satisfies ConsoleHandle;

export async function loader({ request, context }: Route.LoaderArgs) {
  const next = nextPath(new URL(request.url).searchParams.get("next"), "/dashboard");
  const { assurance, account } = await requireVerifiedUser(context, next);
  if (request.method === "GET" && assurance.secondFactor !== "due") throw redirect(next);
  const { code: words, phoneFactor } = await accountWords(context.get(appContext));
  const phones = phoneFactorsOf(account)
    .filter(({ status }) => status === "verified")
    .map(({ id, phone }) => ({ id, ending: phoneEnding(phone) }));
  return { words, phoneWords: phoneFactor, phones, hasApp: account.factors?.some(isApp), next };
}

/**
 * Takes the code of any of the person's second factors, or a recovery code, and leads on. `text` asks for a code by text
 * message first: opening the page sends none.
 */
export const action = guarded({
  async refused(refusal, { request }: Route.ActionArgs) {
    return failed(refusal, await readForm(request));
  },
  async allowed({ request, context }: Route.ActionArgs, { account }) {
    const form = await readForm(request);
    const next = nextPath(form.get("next"), "/dashboard");
    if (!account.factors?.some(({ status }) => status === "verified")) return redirect(next, 303);
    const given = {
      session: context.get(sessionContext),
      context: context.get(appContext),
      account,
    };
    const textTo = form.get("text");
    if (textTo !== null) {
      const sent = await textSignInCode(textTo, given);
      if (!("texted" in sent)) return failed(sent, form, textedIn(form, account));
      return data({ message: undefined, next, recovering: false, texted: sent.texted });
    }
    const recovery = form.get("recovery");
    if (recovery === null) {
      const texted = textedIn(form, account);
      const code = form.get("code") ?? "";
      const failure = texted
        ? await tryTextedCode({ ...texted, code }, given)
        : await tryCode(code, given);
      if (failure) return failed(failure, form, texted);
      noteSignIn(given.context, account.id);
      return redirect(next, 303);
    }
    const outcome = await spendRecoveryCode(recovery, given);
    if (!(outcome instanceof Response)) return failed(outcome, form);
    noteSignIn(given.context, account.id);
    return outcome;
  },
});

/** Which texted code a form is for; undefined where it is for an authenticator app. */
function textedIn(form: URLSearchParams, account: User): TextedCode | undefined {
  const [factorId, challengeId] = [form.get("factorId"), form.get("challengeId")];
  if (!factorId || !challengeId) return;
  const phone = phoneFactorsOf(account).find(({ id }) => id === factorId)?.phone ?? "";
  return { factorId, challengeId, to: phoneEnding(phone) };
}

/** The page with the form that was posted, and why it leads nowhere. */
function failed(
  { status, message, retryAfter }: { status: number; message: string; retryAfter?: number },
  form: URLSearchParams,
  texted?: TextedCode,
) {
  const next = nextPath(form.get("next"), "/dashboard");
  return data(
    { message, next, recovering: form.get("recovery") !== null, texted },
    { status, headers: retryAfter ? { "retry-after": String(retryAfter) } : {} },
  );
}

export default function AccountCode({ loaderData, actionData }: Route.ComponentProps) {
  const { words, phoneWords, phones, hasApp } = loaderData;
  const next = actionData?.next ?? loaderData.next;
  const recovering = actionData?.recovering ?? false;
  const texted = actionData?.texted;
  const busy = useNavigation().state !== "idle";
  const failure = actionData?.message ? (
    <Message kind="failure" className="mb-5">
      {actionData.message}
    </Message>
  ) : null;
  return (
    <div className="max-w-[360px] pt-8">
      <h1 className="text-2xl">{words.title}</h1>
      <p className="mt-3 mb-6 text-ink-soft">
        {hasApp && !texted ? `${words.intro} ${words.open}` : words.intro}
      </p>
      {recovering ? null : failure}
      {texted && !failure ? (
        <Message kind="success" className="mb-5">
          {phoneWords.onItsWay.replace("{ending}", texted.to)}
        </Message>
      ) : null}
      {texted || hasApp ? (
        <Form method="post" replace noValidate className="grid gap-4">
          <input type="hidden" name="next" value={next} />
          {texted ? (
            <TextedCodeFields texted={texted} labels={phoneWords} />
          ) : (
            <TextField
              label={words.label}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={8}
              required
              hint={words.hint}
            />
          )}
          <Button type="submit" disabled={busy}>
            {words.button}
          </Button>
        </Form>
      ) : null}
      {phones.length > 0 ? (
        <Form method="post" replace className={`grid gap-3 ${texted || hasApp ? "mt-6" : ""}`}>
          <input type="hidden" name="next" value={next} />
          {texted ? (
            <>
              <input type="hidden" name="factorId" value={texted.factorId} />
              <input type="hidden" name="challengeId" value={texted.challengeId} />
            </>
          ) : null}
          {phones.map(({ id, ending }) => (
            <Button
              key={id}
              type="submit"
              name="text"
              value={id}
              variant={texted || hasApp ? "secondary" : undefined}
              disabled={busy}
            >
              {texted?.factorId === id
                ? phoneWords.again
                : phoneWords.ask.replace("{ending}", ending)}
            </Button>
          ))}
        </Form>
      ) : null}
      <details open={recovering} className="mt-8 border-t border-line pt-4">
        <summary className="min-h-11 cursor-pointer py-2.5 font-strong">{words.lost}</summary>
        <p className="mt-2 mb-5 text-ink-soft">{words.recoveryIntro}</p>
        {recovering ? failure : null}
        <Form method="post" replace noValidate className="grid gap-4">
          <input type="hidden" name="next" value={next} />
          <TextField
            label={words.recoveryLabel}
            name="recovery"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={80}
            required
            hint={words.recoveryHint}
            mono
          />
          <Button type="submit" variant="danger" disabled={busy}>
            {words.recoveryButton}
          </Button>
        </Form>
      </details>
    </div>
  );
}
