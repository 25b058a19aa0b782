import { data, Form, redirect, useNavigation } from "react-router";
import { giveCode } from "~/account/second-factor.server";
import { assuranceOf } from "~/auth/assurance.server";
import { sessionContext } from "~/auth/session.server";
import { identifyForWriting } from "~/auth/writer.server";
import { Button, LinkButton } from "~/components/button";
import { TextField } from "~/components/fields";
import { Message } from "~/components/message";
import { accountFailures, codeWords } from "~/content/account";
import { readForm } from "~/request/form.server";
import { nextPath } from "~/request/next-path";
import { withinLimit } from "~/request/rate-limit.server";
import { requestContext } from "~/request/request-context";
import { tooOften } from "~/request/too-often";
import type { Route } from "./+types/account-code";

export const meta: Route.MetaFunction = () => [
  { title: "Second factor · LiveKit Deploy" },
  { name: "robots", content: "noindex" },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const writer = await identifyForWriting(session, context.get(requestContext).requestId);
  const next = nextPath(new URL(request.url).searchParams.get("next"), "/dashboard");
  if (!writer.ok && writer.status === 401) {
    throw redirect(`/signin?${new URLSearchParams({ next })}`);
  }
  if (writer.ok && request.method === "GET") {
    const { secondFactor } = await assuranceOf(session, writer.account);
    if (secondFactor !== "due") throw redirect(next);
  }
  return data({ words: codeWords, next }, { status: writer.ok ? 200 : 503 });
}

/** Takes the code of any of the person's second factors and leads on. */
export async function action({ request, context }: Route.ActionArgs) {
  const asked = context.get(requestContext);
  const session = context.get(sessionContext);
  const form = await readForm(request);
  const next = nextPath(form.get("next"), "/dashboard");
  const failed = (status: number, message: string) => data({ message, next }, { status });

  const writer = await identifyForWriting(session, asked.requestId);
  if (!writer.ok) return failed(writer.status, writer.message);
  if (!(await withinLimit(asked, "SIGN_IN_LIMIT", request, `user:${writer.user.id}`))) {
    return failed(429, tooOften);
  }
  let failure = { status: 400, message: accountFailures.code as string };
  for (const { id, status } of writer.account.factors ?? []) {
    if (status !== "verified") continue;
    const outcome = await giveCode(id, form.get("code") ?? "", session, asked.requestId);
    if (!outcome) return redirect(next, 303);
    failure = outcome;
  }
  return failed(failure.status, failure.message);
}

export default function AccountCode({ loaderData, actionData }: Route.ComponentProps) {
  const { words } = loaderData;
  const next = actionData?.next ?? loaderData.next;
  return (
    <div className="max-w-[360px] pt-8">
      <h1 className="text-2xl">{words.title}</h1>
      <p className="mt-3 mb-6 text-ink-soft">{words.intro}</p>
      {actionData ? (
        <Message kind="failure" className="mb-5">
          {actionData.message}
        </Message>
      ) : null}
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
        <Button type="submit" disabled={useNavigation().state !== "idle"}>
          {words.button}
        </Button>
        <LinkButton to="/dashboard" look="quiet">
          {words.back}
        </LinkButton>
      </Form>
    </div>
  );
}
