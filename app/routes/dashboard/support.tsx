import { data, redirect } from "react-router";
import { guarded, userContext } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { SupportMessages } from "~/features/contact/support/own-messages";
import { listOwnMessages } from "~/features/contact/support/own-messages.server";
import {
  sendSupportMessage,
  supportValues,
} from "~/features/contact/support/send-support-message.server";
import { SupportForm } from "~/features/contact/support/support-form";
import { listDeployments } from "~/features/deployments/record/deployments.server";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import { consoleBase } from "~/ui/console/console-path";
import { MailLink } from "~/ui/primitives/mail-link";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/support";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Support") },
  { name: "robots", content: "noindex" },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { configuration } = context.get(appContext);
  const { supabase } = context.get(sessionContext);
  const query = new URL(request.url).searchParams;
  const [messages, listed] = await Promise.all([
    listOwnMessages(supabase),
    listDeployments(supabase, context.get(workspaceContext)),
  ]);
  // Who cannot be shown what they have can write all the same.
  const deployments = (listed?.deployments ?? []).map(({ id, name, version }) => ({
    id,
    name,
    version,
  }));
  return {
    email: context.get(userContext).email,
    supportEmail: configuration.SUPPORT_EMAIL,
    sendsCopies: Boolean(configuration.RESEND_API_KEY),
    deployments,
    messages,
    asked: deployments.find(({ id }) => id === query.get("deployment"))?.id ?? "",
    sent: messages?.find(({ id }) => id === query.get("sent")),
  };
}

export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    const values = supportValues(await readForm(request));
    return data({ message, values, errors: undefined }, { status });
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const values = supportValues(await readForm(request));
    const app = context.get(appContext);
    const session = context.get(sessionContext);
    const outcome = await sendSupportMessage(
      { context: app, session, principal, workspace: context.get(workspaceContext) },
      values,
    );
    if (outcome.ok) return redirect(`${consoleBase(request.url)}/support?sent=${outcome.id}`, 303);
    const { status, message, errors } = outcome;
    return data({ message, values, errors }, { status });
  },
});

export default function Support({ loaderData, actionData }: Route.ComponentProps) {
  const {
    email,
    supportEmail,
    sendsCopies,
    deployments,
    messages,
    asked: about,
    sent,
  } = loaderData;
  const values = actionData?.values ?? { topic: "support", deployment: about, message: "" };
  return (
    <div className="pt-8">
      <h1 className="text-2xl">Support</h1>
      <p className="mt-3 max-w-prose text-ink-soft">
        A person reads every message and answers to <span className="text-ink">{email}</span>. Often
        quicker: <TextLink to="/docs/troubleshooting">Troubleshooting</TextLink>, and{" "}
        <code className="font-mono text-sm">sudo livekit-deploy doctor</code> on the server.
      </p>
      {sent && !actionData ? (
        <Message
          kind="success"
          className="mt-6"
        >{`We have your message.${sendsCopies ? ` A copy goes to ${email}.` : ""} The answer comes by mail, and appears below.`}</Message>
      ) : null}
      {actionData ? (
        <Message kind="failure" className="mt-6">
          {actionData.message}
        </Message>
      ) : null}
      <div className="mt-8 grid gap-x-16 gap-y-12 lg:grid-cols-2">
        <section aria-labelledby="write">
          <h2 id="write" className="mb-5 text-xl">
            Write to us
          </h2>
          <SupportForm
            key={sent?.id}
            deployments={deployments}
            values={values}
            errors={actionData?.errors}
            stored={sent?.message}
          />
          <p className="mt-5 text-sm text-ink-soft">
            Rather use your own mail program? Write to <MailLink email={supportEmail} />.
          </p>
        </section>
        <section aria-labelledby="messages">
          <h2 id="messages" className="mb-5 text-xl">
            Your messages
          </h2>
          {messages === undefined ? (
            <Message kind="warning">
              Your messages cannot be read right now. They are safe, and you can write meanwhile.
            </Message>
          ) : messages.length > 0 ? (
            <SupportMessages messages={messages} />
          ) : (
            <p className="text-ink-soft">What you write here stands here, with our answers.</p>
          )}
        </section>
      </div>
    </div>
  );
}
