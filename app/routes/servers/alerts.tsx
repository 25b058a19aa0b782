import { useRef } from "react";
import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { guarded, userContext } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { CommandBox } from "~/features/deployments/page/command-box";
import { AddChannel } from "~/features/servers/notifications/add-channel";
import { changeAlerts } from "~/features/servers/notifications/alert-changes.server";
import { alertsView } from "~/features/servers/notifications/alerts-view.server";
import { turnWords } from "~/features/servers/notifications/channel";
import { ChannelList } from "~/features/servers/notifications/channel-list";
import { RotaSection } from "~/features/servers/notifications/times/rota-section";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { consoleBase, useConsoleBase } from "~/ui/console/console-path";
import { Section } from "~/ui/console/section";
import { useFocusAfterPost } from "~/ui/console/use-focus-after-post";
import { LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/alerts";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Alerts") },
  { name: "robots", content: "noindex" },
];

export const handle = { right: "alerts", isRead: true } satisfies ConsoleHandle;

export async function loader({ request, context }: Route.LoaderArgs) {
  const scope = { context: context.get(appContext), session: context.get(sessionContext) };
  const query = new URL(request.url).searchParams;
  return alertsView(scope, context.get(userContext).id, openWorkspace(context), query);
}

/** Also after a refusal: a test that did not arrive is noted at its channel. */
export const shouldRevalidate = ({
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) => formMethod !== undefined || defaultShouldRevalidate;

/** The values and the message of a refused form. */
function refusedForm(message: string, form: URLSearchParams) {
  const typed = (name: string) => (form.get(name) ?? "").slice(0, 500);
  return {
    refused: {
      ...{ intent: typed("intent"), kind: typed("kind"), message },
      typed: { url: typed("url"), chat: typed("chat"), name: typed("name") },
    },
    secret: undefined,
  };
}

export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    return data(refusedForm(message, await readForm(request)), { status });
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const scope = {
      context: context.get(appContext),
      session: context.get(sessionContext),
      workspace: openWorkspace(context),
      principal,
    };
    const form = await readForm(request);
    const outcome = await changeAlerts(scope, form);
    if (!outcome.ok) return data(refusedForm(outcome.message, form), { status: outcome.status });
    if ("secret" in outcome) return data({ refused: undefined, secret: outcome.secret });
    return redirect(`${consoleBase(request.url)}/alerts?done=${outcome.done}`, 303);
  },
});

export default function Alerts({ loaderData: view, actionData }: Route.ComponentProps) {
  const { isRead, channels, times, warning, forms, done } = view;
  const { refused, secret } = actionData ?? {};
  const isAboutForm = refused?.intent.startsWith("add-");
  const page = useRef<HTMLDivElement>(null);
  useFocusAfterPost(page);
  return (
    <div ref={page} className="pt-8">
      <h1 className="text-2xl">Alerts</h1>
      <p className="mt-3 max-w-prose text-lg text-ink-soft">
        Who is told when one of your servers is down or not well, and who is told next.{" "}
        <TextLink to="/docs/alerts">How alerts work</TextLink>.
      </p>
      <p className="mt-3 max-w-prose">
        Down, or something that does not work: told at once. Everything else: one mail a day at
        07:00 UTC. Every 30 days each channel is sent a test.
      </p>
      <div data-outcome tabIndex={-1}>
        {refused && !isAboutForm ? (
          <Message kind="failure" className="mt-6">
            {refused.message}
          </Message>
        ) : null}
        {done && !actionData ? (
          <Message kind="success" className="mt-6">
            {done}
          </Message>
        ) : null}
        {secret ? <NewSecret secret={secret} /> : null}
      </div>
      {isRead ? null : (
        <Message kind="warning" className="mt-6">
          Your alerts cannot be read right now. People are told as before. Please try again in a
          moment.
        </Message>
      )}
      {isRead && !channels ? <NotConnected /> : null}
      {channels && warning ? (
        <Message kind="warning" className="mt-6">
          {warning}
        </Message>
      ) : null}
      {channels ? (
        <div className="mt-8">
          {(["first", "second"] as const).map((turn) => {
            const listed = channels.filter((channel) => channel.turn === turn);
            return (
              <Section key={turn} id={turn} title={turnWords[turn]}>
                {listed.length > 0 ? (
                  <ChannelList channels={listed} quietWords={times && forms?.times.quiet} />
                ) : (
                  <p>Nobody.</p>
                )}
              </Section>
            );
          })}
          {times ? <RotaSection times={times} words={forms?.times} /> : null}
          {forms ? (
            <div className="print:hidden">
              <Section
                id="add"
                title="Add a channel"
                detail="At most ten. Mail is at most 20 messages an hour and 60 a day; what is beyond comes together later."
              >
                <AddChannel {...{ view, forms }} failed={isAboutForm ? refused : undefined} />
              </Section>
            </div>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function NotConnected() {
  const base = useConsoleBase();
  return (
    <div className="mt-8">
      <p className="max-w-prose">
        No server is connected to the console yet, so there is nothing to tell. Whoever connects the
        first one is told by mail from then on.
      </p>
      <LinkButton to={`${base}/deployments`} className="mt-5">
        Connect a server
      </LinkButton>
    </div>
  );
}

function NewSecret({ secret }: { secret: string }) {
  return (
    <div role="status" className="mt-6 grid gap-3">
      <p className="max-w-prose">
        The webhook was added. Copy its secret now: it is shown once, and proves to your program
        that a message is ours.
      </p>
      <CommandBox text={secret} label="the secret" />
    </div>
  );
}
