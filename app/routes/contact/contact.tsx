import { data, redirect, useSearchParams } from "react-router";
import { contactTopics, contactWords } from "~/content/contact";
import { challengeOf } from "~/features/auth/challenge.server";
import { ContactForm } from "~/features/contact/contact-form";
import { receiptOf } from "~/features/contact/receipt.server";
import { type ContactOutcome, receiveMessage } from "~/features/contact/receive-message.server";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import { siteQuotas } from "~/platform/database/quotas";
import { pageMeta } from "~/seo/page-meta";
import { MailLink } from "~/ui/primitives/mail-link";
import { Message } from "~/ui/primitives/message";
import { PageIntro } from "~/ui/primitives/page-intro";
import type { Route } from "./+types/contact";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Contact",
    description: "Write to us about plans, support or anything else. A person answers by e-mail.",
    path: "/contact",
  });

export const handle = { isPublic: true } satisfies RouteHandle;

export function loader({ context }: Route.LoaderArgs) {
  const { configuration } = context.get(appContext);
  const { SUPPORT_EMAIL, SITE_OPERATOR } = configuration;
  return { email: SUPPORT_EMAIL, operator: SITE_OPERATOR, challenge: challengeOf(configuration) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const outcome = await receiveMessage(app, request);
  if (outcome.status !== 303) {
    return data(outcome, { status: outcome.status });
  }
  const cookie = outcome.receipt && (await receiptOf(app).keep(outcome.receipt));
  return redirect("/contact/sent", {
    status: 303,
    headers: cookie ? { "set-cookie": cookie } : {},
  });
}

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const topic = search.get("topic");
  const preselected = contactTopics.find(({ value }) => value === topic)?.value;
  const values = actionData && "values" in actionData ? actionData.values : undefined;
  const { title, intro, whatHappens } = contactWords;
  return (
    <div className="page">
      <PageIntro title={title}>
        <p>{intro}</p>
      </PageIntro>
      <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[3fr_2fr]">
        <div className="max-w-prose">
          {actionData ? (
            <Message kind="failure" className="mb-8">
              <Failure outcome={actionData} email={loaderData.email} />
            </Message>
          ) : null}
          <ContactForm
            values={values ?? { topic: preselected ?? "" }}
            errors={actionData?.status === 400 ? actionData.errors : undefined}
            challenge={loaderData.challenge}
          />
        </div>
        <aside
          aria-labelledby="what-happens"
          className="border-t border-line pt-8 lg:border-0 lg:pt-0"
        >
          <h2 id="what-happens" className="text-xl">
            What happens then
          </h2>
          <ol className="mt-6 grid gap-6 border-l border-line pl-6">
            {whatHappens.map((step) => (
              <li key={step.title}>
                <h3>{step.title}</h3>
                <p className="mt-1 text-ink-soft">{step.text}</p>
              </li>
            ))}
          </ol>
          <p className="mt-8 text-ink-soft">
            Rather use your own mail program? Write to <MailLink email={loaderData.email} />.
          </p>
          {loaderData.operator ? (
            <p className="mt-4 text-ink-soft">This site is operated by {loaderData.operator}.</p>
          ) : null}
        </aside>
      </div>
    </div>
  );
}

type FailedOutcome = Exclude<ContactOutcome, { status: 303 }>;

function Failure({ outcome, email }: { outcome: FailedOutcome; email: string }) {
  if ("message" in outcome) {
    return (
      <span>
        {outcome.message} Or mail your text to <MailLink email={email} />.
      </span>
    );
  }
  switch (outcome.status) {
    case 400:
      return <span>{"Nothing was sent yet. Please correct the marked fields."}</span>;
    case 413:
      return (
        <span>
          {
            "Nothing was sent: the message is far too long. Go back to find your text, and shorten it."
          }
        </span>
      );
    case 429:
      switch (outcome.limit) {
        case "posts":
          return (
            <span>
              {
                "Nothing was sent: too many messages came from your network in the last minute. Go back to find your text, wait a minute and send it again."
              }
            </span>
          );
        case "minute":
          return (
            <span>
              {
                "Nothing was sent: too many messages came from your network in the last minute. Your text is still here. Please wait a minute and send it again."
              }
            </span>
          );
        case "sender":
        case "all":
          return (
            <>
              <span>{`${
                outcome.limit === "sender"
                  ? `Nothing was sent: ${siteQuotas.contactMessagesADayOfOne} messages came from your network today, and we take no more.`
                  : "Nothing was sent: more messages came today than we take through this form."
              } Your text is still here: mail it to `}</span>
              <MailLink email={email} />
              <span>, or send it tomorrow.</span>
            </>
          );
      }
      break;
    case 503:
      return (
        <span>
          We could not store your message, so nothing was sent. Your text is still here: try again
          in a moment, or mail it to <MailLink email={email} />.
        </span>
      );
  }
}
