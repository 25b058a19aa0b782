import { useEffect } from "react";
import { data, Form, useNavigation } from "react-router";
import * as z from "zod/mini";
import { signInFailures, signInLabels } from "~/content/sign-in-labels";
import { startSingleSignOn } from "~/features/account/sign-in/single-sign-on.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { nextPath } from "~/http/page-addresses";
import { pageTitle } from "~/seo/page-meta";
import { BrandMark } from "~/ui/chrome/brand";
import { Button, DocumentLinkButton } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/sso";

const workAddress = z
  .string()
  .check(z.maxLength(254, signInFailures.emailWrong), z.email(signInFailures.emailWrong));

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Sign in with SSO") },
  { name: "robots", content: "noindex" },
];

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

export function loader({ request, context }: Route.LoaderArgs) {
  if (!context.get(appContext).configuration.SINGLE_SIGN_ON) {
    throw data("This page does not exist.", { status: 404 });
  }
  return { next: nextPath(new URL(request.url).searchParams.get("next"), "/dashboard") };
}

/** Answers where the browser goes on, or why nowhere. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const typed = (form.get("email") ?? "").trim();
  const email = typed.slice(0, 254);
  const checked = workAddress.safeParse(typed);
  if (!checked.success) {
    return data({ message: signInFailures.emailWrong, email }, { status: 400 });
  }
  const next = nextPath(form.get("next"), "/dashboard");
  const start = await startSingleSignOn(
    request,
    context.get(appContext),
    context.get(sessionContext),
    { email: checked.data, next },
  );
  if (!start.ok) return data({ message: start.message, email }, { status: start.status });
  const { url, cookie } = start;
  const host = new URL(url).host;
  return data({ url, host, email }, { headers: { "set-cookie": cookie } });
}

export default function SingleSignOn({ loaderData, actionData }: Route.ComponentProps) {
  const labels = signInLabels.sso;
  const url = actionData && "url" in actionData ? actionData.url : undefined;
  const busy = useNavigation().state !== "idle";

  useEffect(() => {
    if (url) window.location.assign(url);
  }, [url]);

  return (
    <div className="page flex min-h-[70vh] items-start justify-center pt-12 pb-20 sm:pt-20">
      <div className="w-full max-w-[360px]">
        <BrandMark className="mb-4" />
        <h1 className="text-xl">{labels.title}</h1>
        {actionData && "message" in actionData ? (
          <Message kind="failure" className="mt-5">
            {actionData.message}
          </Message>
        ) : null}
        {actionData && "url" in actionData ? (
          <DocumentLinkButton href={actionData.url} className="mt-5 wrap-anywhere">
            {labels.goOn.replace("{host}", actionData.host)}
          </DocumentLinkButton>
        ) : (
          <>
            <p className="mt-3 text-ink-soft">{labels.intro}</p>
            <Form method="post" noValidate className="mt-6 grid gap-4">
              <input type="hidden" name="next" value={loaderData.next} />
              <TextField
                label={labels.email}
                name="email"
                type="email"
                autoComplete="email"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={254}
                required
                defaultValue={actionData?.email ?? ""}
              />
              <Button type="submit" disabled={busy}>
                {labels.button}
              </Button>
            </Form>
          </>
        )}
        <TextLink to="/signin" variant="standalone" className="mt-4">
          {signInLabels.shared.backToSignIn}
        </TextLink>
      </div>
    </div>
  );
}
