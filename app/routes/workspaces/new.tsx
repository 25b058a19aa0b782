import { data, Form, redirect, useNavigation } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { makeWorkspace } from "~/features/workspaces/settings-changes.server";
import { workspaceWords } from "~/features/workspaces/workspace-words.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import type { Route } from "./+types/new";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("New workspace") },
  { name: "robots", content: "noindex" },
];

export async function loader({ context }: Route.LoaderArgs) {
  return { words: await workspaceWords(context.get(appContext)) };
}

export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    return data({ message, typed: (await readForm(request)).get("name") ?? "" }, { status });
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const typed = (await readForm(request)).get("name") ?? "";
    const outcome = await makeWorkspace(context.get(appContext), principal.user.id, typed);
    if (outcome.ok) return redirect(`/dashboard/w/${outcome.slug}`, 303);
    return data(
      { message: outcome.message, typed: typed.slice(0, 80) },
      { status: outcome.status },
    );
  },
});

export default function NewWorkspace({ loaderData, actionData }: Route.ComponentProps) {
  const labels = loaderData.words.new;
  const busy = useNavigation().state !== "idle";
  return (
    <div className="pt-8">
      <h1 className="text-2xl">{labels.title}</h1>
      <p className="mt-3 max-w-prose text-lg text-ink-soft">{labels.intro}</p>
      <Form method="post" noValidate className="mt-8 grid max-w-dialog gap-5">
        <TextField
          label={labels.label}
          name="name"
          hint={labels.hint}
          maxLength={80}
          autoComplete="off"
          required
          defaultValue={actionData?.typed}
          error={actionData?.message}
        />
        <div>
          <Button type="submit" disabled={busy}>
            {labels.button}
          </Button>
        </div>
      </Form>
    </div>
  );
}
