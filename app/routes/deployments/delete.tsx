import { data, Form, redirect } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { deploymentsUnreadable } from "~/features/deployments/record/deployments.server";
import { requestedDeployment } from "~/features/deployments/record/requested-deployment.server";
import {
  deleteDeployment,
  deletedKeptDays,
} from "~/features/deployments/record/save-deployments.server";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { endServersOf } from "~/features/servers/connect/enrolment-tokens.server";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import { consoleBase, useConsoleBase } from "~/ui/console/console-path";
import { Button, LinkButton } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/delete";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Delete a deployment") },
  { name: "robots", content: "noindex" },
];

const unreadable =
  "Your deployment cannot be read right now. It is safe. Please try again in a moment.";

export const handle = deploymentHandle({ path: "delete", label: "Delete" });

export async function loader(args: Route.LoaderArgs) {
  const { deployment } = await requestedDeployment(args);
  if (!deployment) throw data(unreadable, { status: 503 });
  const { id, name, applied } = deployment;
  return {
    name,
    deployment: { id, name, isRunning: applied !== undefined },
    days: deletedKeptDays,
  };
}

export const action = guarded({
  refused: ({ status, message }) => refused(message, status),
  async allowed(args: Route.ActionArgs, principal) {
    const { request, context } = args;
    const { context: app, session, deployment } = await requestedDeployment(args);
    if (!deployment) return refused(deploymentsUnreadable, 503);
    const typed = (await readForm(request)).get("name") ?? "";
    if (typed.trim() !== deployment.name.trim()) {
      return data(
        {
          message: "Nothing was deleted.",
          typed,
          error: "This is not its name. Capital letters count.",
        },
        { status: 400 },
      );
    }
    const outcome = await deleteDeployment({ context: app, session, principal }, deployment.id);
    if (outcome.ok) {
      await endServersOf({ context: app, workspace: openWorkspace(context) }, deployment.id);
      return redirect(`${consoleBase(request.url)}/deployments?notice=deleted`, 303);
    }
    return refused(outcome.message, outcome.status);
  },
});

function refused(message: string, status: number) {
  return data({ message, typed: undefined, error: undefined }, { status });
}

export default function DeleteDeployment({ loaderData, actionData }: Route.ComponentProps) {
  const base = useConsoleBase();
  const { deployment, days } = loaderData;
  return (
    <div className="max-w-prose pt-8">
      {actionData ? (
        <Message kind="failure" className="mb-6">
          {actionData.message}
        </Message>
      ) : null}
      <h1 className="text-2xl wrap-anywhere">Delete {deployment.name}?</h1>
      <p className="mt-4">
        It leaves your list with its options and all versions that are kept. For {days} days you can
        restore it there, if your plan has room for it; after that not even we can bring it back.
      </p>
      <p className="mt-3">
        {`${
          deployment.isRunning
            ? "Your server goes on running, and costs what it costs: end it at your provider."
            : "Servers that you made from its files go on running: end them at your provider."
        } Those that report here are disconnected, and restoring it does not connect them again.`}
      </p>
      <Form method="post" className="mt-8 grid gap-6">
        <TextField
          name="name"
          label="Its name, to confirm"
          hint={<span className="wrap-anywhere">Type {deployment.name}</span>}
          defaultValue={actionData?.typed}
          error={actionData?.error}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="danger">
            Delete it and its versions
          </Button>
          <LinkButton to={`${base}/deployments`} variant="secondary">
            Keep it
          </LinkButton>
        </div>
      </Form>
    </div>
  );
}
