import { data, Form, redirect, useNavigation } from "react-router";
import { accountWords } from "~/features/account/settings/account-view.server";
import { spendRecoveryCode } from "~/features/account/settings/second-factor/recovery-codes.server";
import { tryCode } from "~/features/account/settings/second-factor/second-factor.server";
import { noteSignIn } from "~/features/account/sign-in/arrive.server";
import { guarded, requireVerifiedUser } from "~/features/auth/guard.server";
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
  const { assurance } = await requireVerifiedUser(context, next);
  if (request.method === "GET" && assurance.secondFactor !== "due") throw redirect(next);
  return { words: (await accountWords(context.get(appContext))).code, next };
}

/** Takes the code of any of the person's second factors, or a recovery code, and leads on. */
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
    const recovery = form.get("recovery");
    if (recovery === null) {
      const failure = await tryCode(form.get("code") ?? "", given);
      if (failure) return failed(failure, form);
      noteSignIn(given.context, account.id);
      return redirect(next, 303);
    }
    const outcome = await spendRecoveryCode(recovery, given);
    if (!(outcome instanceof Response)) return failed(outcome, form);
    noteSignIn(given.context, account.id);
    return outcome;
  },
});

/** The page with the form that was posted, and why it leads nowhere. */
function failed(
  { status, message, retryAfter }: { status: number; message: string; retryAfter?: number },
  form: URLSearchParams,
) {
  const next = nextPath(form.get("next"), "/dashboard");
  return data(
    { message, next, recovering: form.get("recovery") !== null },
    { status, headers: retryAfter ? { "retry-after": String(retryAfter) } : {} },
  );
}

export default function AccountCode({ loaderData, actionData }: Route.ComponentProps) {
  const { words } = loaderData;
  const next = actionData?.next ?? loaderData.next;
  const recovering = actionData?.recovering ?? false;
  const busy = useNavigation().state !== "idle";
  const failure = actionData ? (
    <Message kind="failure" className="mb-5">
      {actionData.message}
    </Message>
  ) : null;
  return (
    <div className="max-w-[360px] pt-8">
      <h1 className="text-2xl">{words.title}</h1>
      <p className="mt-3 mb-6 text-ink-soft">{words.intro}</p>
      {recovering ? null : failure}
      <Form method="post" replace noValidate className="grid gap-4">
        <input type="hidden" name="next" value={next} />
        <TextField
          label={words.label}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={8}
          required
          hint={words.hint}
        />
        <Button type="submit" disabled={busy}>
          {words.button}
        </Button>
      </Form>
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
