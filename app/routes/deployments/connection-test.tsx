import { data } from "react-router";
import { guarded } from "~/features/auth/guard.server";
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
  const { id, name, stored } = foundOrThrow(await findDeployment(args));
  if (!("options" in stored)) throw data(outdatedChoices, { status: 409 });
  const history = await readTests(context.get(sessionContext).supabase, id);
  if (!history) throw data(deploymentsUnreadable, { status: 503 });
  const server = testedServerOf(stored.options);
  context.set(pagePermissions, { host: server.domain });
  return { name, server, ...history };
}

export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    const form = await readForm(request);
    const label = form.get("label");
    return data<TestAnswer>({ message, ...(label === null ? {} : { label }) }, { status });
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
      default:
        return data<TestAnswer>(
          { message: "This form is not known here. Load the page again." },
          { status: 400 },
        );
    }
  },
});

export default function ConnectionTest({ loaderData, actionData }: Route.ComponentProps) {
  useOwnDocument();
  const mayLink = useMay("servers");
  const { server, links, tests } = loaderData;
  return (
    <div className="pt-8">
      <h1 className="text-2xl">Connection test</h1>
      <p className="mt-3 mb-8 max-w-prose wrap-anywhere text-ink-soft">
        Does a network let calls through to {server.domain}, and which way do they take? The test
        connects three times: as every call does, with TCP alone, and relayed by TURN alone.
      </p>
      <Message kind="warning" className="mb-8 scripted:hidden">
        The test is made by this browser, and that needs JavaScript. Allow it for this site. Or call{" "}
        <code>sudo livekit-deploy doctor</code> on the server: it tries every way that media takes.
      </Message>
      {actionData?.message && actionData.intent !== "end-link" ? (
        <Message kind="failure" className="mb-8">
          {actionData.message}
        </Message>
      ) : null}
      <ConsoleTest server={server} mayLink={mayLink} />
      <LinkList links={links} mayEnd={mayLink} answer={actionData} />
      <TestList tests={tests} server={server} />
    </div>
  );
}
