import { data } from "react-router";
import type { AccountOutcome } from "~/features/account/settings/account-outcome";
import { type AccountView, accountView } from "~/features/account/settings/account-view.server";
import { answerAccount, refuseAccount } from "~/features/account/settings/answer-account.server";
import { DeletionSection } from "~/features/account/settings/deletion-section";
import { PhoneSection } from "~/features/account/settings/phone-section";
import { SecondFactorSection } from "~/features/account/settings/second-factor/second-factor-section";
import { SessionsSection } from "~/features/account/settings/sessions-section";
import {
  EmailSection,
  IdentitiesSection,
  PasswordSection,
} from "~/features/account/settings/sign-in-sections";
import { guardedForVisitors, requireVerifiedUser } from "~/features/auth/guard.server";
import { myWorkspaces } from "~/features/workspaces/my-workspaces.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import { OnThisPage } from "~/ui/console/on-this-page";
import type { Route } from "./+types/account";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Account") },
  { name: "robots", content: "noindex" },
];

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const principal = await requireVerifiedUser(context, "/dashboard/account");
  const query = new URL(request.url).searchParams;
  return { view: await accountView(principal, app, query, await myWorkspaces(context)) };
}

/** Every form of the page posts here; its `intent` says what it wants. */
export const action = guardedForVisitors({
  async refused(refusal, { request }: Route.ActionArgs) {
    return answerOf(refuseAccount(refusal, await readForm(request)));
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const answer = await answerAccount(request, await readForm(request), context, principal);
    return answer instanceof Response ? answer : answerOf(answer);
  },
});

function answerOf(outcome: AccountOutcome) {
  const wait = outcome.state === "failed" ? outcome.retryAfter : undefined;
  return data(outcome, {
    status: outcome.status,
    headers: wait ? { "retry-after": String(wait) } : {},
  });
}

function sectionsOf({ words, phone }: AccountView): readonly [id: string, title: string][] {
  return [
    ["email", words.email.title],
    ...(phone ? [["phone", words.phone.title] as [string, string]] : []),
    ["password", words.password.title],
    ["identities", words.identities.title],
    ["second-factor", words.secondFactor.title],
    ["sessions", words.sessions.title],
    ["deletion", words.deletion.title],
  ];
}

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { view } = loaderData;
  const props = { view, outcome: actionData };
  return (
    <div className="pt-8">
      <h1 className="text-2xl">{view.words.title}</h1>
      <p className="mt-3 text-lg text-ink-soft">{view.words.intro}</p>
      <OnThisPage sections={sectionsOf(view)} />
      <EmailSection {...props} />
      {view.phone ? <PhoneSection {...props} number={view.phone.number} /> : null}
      <PasswordSection {...props} />
      <IdentitiesSection {...props} />
      <SecondFactorSection {...props} />
      <SessionsSection {...props} />
      <DeletionSection {...props} />
    </div>
  );
}
