import { data, Form, redirect } from "react-router";
import { guarded } from "~/features/auth/guard/guarded-action.server";
import { deploymentsUnreadable } from "~/features/deployments/record/deployments.server";
import { requestedDeployment } from "~/features/deployments/record/requested-deployment.server";
import { deleteDeployment } from "~/features/deployments/record/save-deployments.server";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { pageTitle } from "~/seo/page-meta";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/delete";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Delete a deployment") },
  { name: "robots", content: "noindex" },
];

const unreadable =
  "Your deployment cannot be read right now. It is safe. Please try again in a moment.";

export const handle = deploymentHandle({ path: "delete", label: "Delete" });

export async function loader({ context, params }: Route.LoaderArgs) {
  const { deployment } = await requestedDeployment(context, params.id);
  if (!deployment) throw data(unreadable, { status: 503 });
  const { id, name, version } = deployment;
  return { name, deployment: { id, name, version } };
}

export const action = guarded({
  refused: ({ status, message }) => data({ message }, { status }),
  async allowed({ context, params }: Route.ActionArgs, principal) {
    const { context: app, session, deployment } = await requestedDeployment(context, params.id);
    if (!deployment) return data({ message: deploymentsUnreadable }, { status: 503 });
    const outcome = await deleteDeployment({ context: app, session, principal }, deployment.id);
    if (outcome.ok) return redirect("/dashboard/deployments?notice=deleted", 303);
    return data({ message: outcome.message }, { status: outcome.status });
  },
});

export default function DeleteDeployment({ loaderData, actionData }: Route.ComponentProps) {
  const { deployment } = loaderData;
  const message = actionData?.message;
  return (
    <div className="max-w-prose pt-8">
      {message ? (
        <Message kind="failure" className="mb-6">
          {message}
        </Message>
      ) : null}
      <h1 className="text-2xl wrap-anywhere">Delete {deployment.name}?</h1>
      <p className="mt-4">
        {deployment.version === 1
          ? "Its options and its one saved version"
          : "Its options and all versions that are kept"}{" "}
        are removed for good. Not even we can bring them back.
      </p>
      <p className="mt-3 text-ink-soft">
        Servers that you made from its files go on running: end them at your provider. Download the
        files first if you may need them.
      </p>
      <Form method="post" className="mt-8 flex flex-wrap gap-3">
        <Button type="submit" variant="danger">
          Delete it and its versions
        </Button>
        <LinkButton to="/dashboard/deployments" variant="secondary">
          Keep it
        </LinkButton>
      </Form>
    </div>
  );
}
