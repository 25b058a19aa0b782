import { data, redirect } from "react-router";
import { guardedForVisitors } from "~/access/guarded-action.server";
import type { AccountOutcome } from "~/account/account-outcome";
import { accountView } from "~/account/account-view.server";
import { answerAccount, refuseAccount } from "~/account/answer-account.server";
import { DeletionSection } from "~/account/deletion-section";
import { SecondFactorSection } from "~/account/second-factor-section";
import { SessionsSection } from "~/account/sessions-section";
import { EmailSection, IdentitiesSection, PasswordSection } from "~/account/sign-in-sections";
import { identifyPrincipal } from "~/auth/principal.server";
import { sessionContext } from "~/auth/session.server";
import { Message } from "~/components/message";
import { accountFailures } from "~/content/account";
import { readForm } from "~/request/form.server";
import { requestContext } from "~/request/request-context";
import type { Route } from "./+types/account";

export const meta: Route.MetaFunction = () => [
  { title: "Account · LiveKit Deploy" },
  { name: "robots", content: "noindex" },
];

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = context.get(requestContext);
  const session = context.get(sessionContext);
  const present = await identifyPrincipal(session, asked.requestId);
  if (!present.ok && present.status === 401) throw redirect("/signin?next=/dashboard/account");
  if (!present.ok) {
    return data({ view: undefined, unavailable: accountFailures.unavailable }, { status: 503 });
  }
  const query = new URL(request.url).searchParams;
  return {
    view: await accountView(present.principal, asked, query),
  };
}

/** Every form of the page posts here; its `intent` says what it wants. */
export const action = guardedForVisitors({
  async refused(refusal, { request }: Route.ActionArgs) {
    return shown(refuseAccount(refusal, await readForm(request)));
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const answer = await answerAccount(request, await readForm(request), context, principal);
    return answer instanceof Response ? answer : shown(answer);
  },
});

function shown(outcome: AccountOutcome) {
  const wait = outcome.state === "failed" ? outcome.retryAfter : undefined;
  return data(outcome, {
    status: outcome.status,
    headers: wait ? { "retry-after": String(wait) } : {},
  });
}

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { view } = loaderData;
  if (!view) {
    return (
      <Message kind="failure" className="mt-8">
        {loaderData.unavailable}
      </Message>
    );
  }
  const props = { view, outcome: actionData };
  return (
    <div className="pt-8">
      <h1 className="text-2xl">{view.words.title}</h1>
      <p className="mt-3 mb-10 text-lg text-ink-soft">{view.words.intro}</p>
      <EmailSection {...props} />
      <PasswordSection {...props} />
      <IdentitiesSection {...props} />
      <SecondFactorSection {...props} />
      <SessionsSection {...props} />
      <DeletionSection {...props} />
    </div>
  );
}
