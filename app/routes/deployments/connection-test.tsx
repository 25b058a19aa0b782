import { data } from "react-router";
import { trialConnections } from "~/content/trial";
import { guarded } from "~/features/auth/guard.server";
import { isInTrial } from "~/features/auth/session/in-trial.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { ConsoleTest } from "~/features/deployments/connection-test/console-test";
import { readTests } from "~/features/deployments/connection-test/links.server";
import {
  answerEndLink,
  answerLink,
  answerResult,
  type TestAnswer,
} from "~/features/deployments/connection-test/test-forms.server";
import { LinkList, TestList } from "~/features/deployments/connection-test/test-history";
import { foundOrThrow, outdatedChoices } from "~/features/deployments/download/downloads.server";
import {
  answerEmbed,
  answerEndEmbed,
  type EmbedAnswer,
  typedEmbed,
} from "~/features/deployments/embedded-test/embed-forms.server";
import { EmbedSection } from "~/features/deployments/embedded-test/embed-section";
import { readEmbeds, webhooksOf } from "~/features/deployments/embedded-test/embeds.server";
import { deploymentsUnreadable } from "~/features/deployments/record/deployments.server";
import { findDeployment } from "~/features/deployments/record/requested-deployment.server";
import { testedServerOf } from "~/features/deployments/test-room/tested-server";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { useMay } from "~/features/workspaces/roles";
import { appContext, pagePermissions } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import { useOwnDocument } from "~/ui/console/use-own-document";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/connection-test";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Connection test") },
  { name: "robots", content: "noindex" },
];

export const handle = deploymentHandle({ path: "connection-test", label: "Connection test" });

export async function loader(args: Route.LoaderArgs) {
  const { context } = args;
  const { id, name, stored, workspaceId } = foundOrThrow(await findDeployment(args));
  if (!("options" in stored)) throw data(outdatedChoices, { status: 409 });
  const { supabase } = context.get(sessionContext);
  const { bindings, configuration } = context.get(appContext);
  const webhooks = await webhooksOf(bindings, workspaceId);
  const [history, embeds] = await Promise.all([
    readTests(supabase, id),
    readEmbeds(supabase, id, webhooks ?? []),
  ]);
  if (!history || !embeds) throw data(deploymentsUnreadable, { status: 503 });
  const server = testedServerOf(stored.options);
  const isTrial = await isInTrial(context.get(sessionContext));
  if (!isTrial) context.set(pagePermissions, { host: server.domain });
  const { SITE_URL: siteUrl } = configuration;
  return { name, server, embeds, webhooks, siteUrl, isTrial, ...history };
}

type PageAnswer = TestAnswer | EmbedAnswer;

const isOfEmbeds = (answer: PageAnswer | undefined): answer is EmbedAnswer =>
  answer?.intent === "embed" || answer?.intent === "end-embed";

export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    const form = await readForm(request);
    const typed = typedEmbed(form);
    if (typed) return data<PageAnswer>({ intent: "embed", message, typed }, { status });
    const label = form.get("label");
    return data<PageAnswer>({ message, ...(label === null ? {} : { label }) }, { status });
  },
  async allowed(args: Route.ActionArgs, principal) {
    const { request, context } = args;
    const app = context.get(appContext);
    const deployment = foundOrThrow(await findDeployment(args));
    const form = await readForm(request);
    const session = context.get(sessionContext);
    const scope = { context: app, session, principal, deployment, form };
    switch (form.get("intent")) {
      case "result":
        return answerResult(scope);
      case "link":
        return answerLink(scope);
      case "end-link":
        return answerEndLink(scope);
      case "embed":
        return answerEmbed(scope);
      case "end-embed":
        return answerEndEmbed(scope);
      default:
        return data<PageAnswer>(
          { message: "This form is not known here. Load the page again." },
          { status: 400 },
        );
    }
  },
});

export default function ConnectionTest({ loaderData, actionData }: Route.ComponentProps) {
  useOwnDocument();
  const mayLink = useMay("servers");
  const { server, links, tests, embeds, webhooks, siteUrl, isTrial } = loaderData;
  const embedAnswer = isOfEmbeds(actionData) ? actionData : undefined;
  const answer = isOfEmbeds(actionData) ? undefined : actionData;
  return (
    <div className="pt-8">
      <h1 className="text-2xl">Connection test</h1>
      <p className="mt-3 mb-8 max-w-prose wrap-anywhere text-ink-soft">
        Does a network let calls through to {server.domain}, and which way do they take? The test
        connects three times: as every call does, with TCP alone, and relayed by TURN alone.
      </p>
      {isTrial ? (
        <Message kind="neutral" className="mb-8">
          {trialConnections.connectionTest}
        </Message>
      ) : (
        <Message kind="warning" className="mb-8 scripted:hidden">
          The test is made by this browser, and that needs JavaScript. Allow it for this site. Or
          call <code>sudo livekit-deploy doctor</code> on the server: it tries every way that media
          takes.
        </Message>
      )}
      {answer?.message && answer.intent !== "end-link" ? (
        <Message kind="failure" className="mb-8">
          {answer.message}
        </Message>
      ) : null}
      {isTrial ? null : <ConsoleTest server={server} mayLink={mayLink} />}
      <LinkList links={links} mayEnd={mayLink} answer={answer} />
      <EmbedSection
        embeds={embeds}
        webhooks={webhooks}
        siteUrl={siteUrl}
        mayChange={mayLink}
        answer={embedAnswer}
      />
      <TestList tests={tests} server={server} />
    </div>
  );
}
