import { data, Form, Link, redirect } from "react-router";
import { guarded } from "~/features/auth/guard/guarded-action.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { bundle } from "~/features/deployments/bundle/bundle";
import { foundOrThrow, outdatedChoices } from "~/features/deployments/download/downloads.server";
import { ChangesView } from "~/features/deployments/files/changes-view";
import { PlanNotice } from "~/features/deployments/plan/plan-notice";
import { readOnlyNotice } from "~/features/deployments/plan/read-only.server";
import { changesBetween } from "~/features/deployments/record/changes";
import {
  listVersions,
  readDeployment,
  readVersion,
  versionsListed,
} from "~/features/deployments/record/deployments.server";
import { saveDeployment } from "~/features/deployments/record/save-deployments.server";
import type { StoredOptions } from "~/features/deployments/stored-deployment";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body/form.server";
import { siteQuotas } from "~/platform/database/quotas";
import { pageTitle } from "~/seo/page-meta";
import { dayOf } from "~/ui/dates";
import { Button } from "~/ui/primitives/button";
import { SelectField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/versions";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle(`Versions of ${loaderData?.name ?? "a deployment"}`) },
  { name: "robots", content: "noindex" },
];

/** A version's number as it stands in an address or a form; anything else is no version. */
function versionNumber(text: string | null, otherwise: number): number {
  if (text === null) return otherwise;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN;
}

function filesOf(stored: StoredOptions) {
  return "options" in stored && stored.options ? bundle(stored.options).files : undefined;
}

export const handle = deploymentHandle({ path: "versions", label: "Versions" });

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { supabase } = context.get(sessionContext);
  const search = new URL(request.url).searchParams;
  const { id, name, version } = foundOrThrow(await readDeployment(supabase, params.id));
  const readOnly = await readOnlyNotice(supabase, context.get(appContext), id);
  const upTo = versionNumber(search.get("up-to"), version);
  const listed = foundOrThrow(await listVersions(supabase, id, upTo || version));
  const to = versionNumber(search.get("to"), version);
  const from = versionNumber(search.get("from"), Math.max(1, to - 1));
  const [older, newer] = await Promise.all([
    readVersion(supabase, id, from),
    readVersion(supabase, id, to),
  ]);
  const compared = [foundOrThrow(newer), foundOrThrow(older)] as const;
  const [after, before] = compared.map(({ stored }) => filesOf(stored));
  const changes = before && after && changesBetween(before, after);
  const versions = [...compared, ...listed]
    .map(({ version, savedAt }) => ({ version, savedAt }))
    .filter((each, at, all) => all.findIndex(({ version }) => version === each.version) === at)
    .sort((one, other) => other.version - one.version);
  const oldest = listed.length < versionsListed ? 1 : (listed.at(-1)?.version ?? 1);
  return { id, name, version, versions, older: oldest - 1, from, to, changes, readOnly };
}

/** Restores an old version by saving its choices as a new one. */
export const action = guarded({
  refused: ({ status, message }) => data({ message }, { status }),
  async allowed({ params, request, context }: Route.ActionArgs, principal) {
    const app = context.get(appContext);
    const session = context.get(sessionContext);
    const deployment = foundOrThrow(await readDeployment(session.supabase, params.id));
    const wanted = versionNumber((await readForm(request)).get("restore"), Number.NaN);
    const old = foundOrThrow(await readVersion(session.supabase, deployment.id, wanted));
    if (!("options" in old.stored) || !old.stored.options) {
      return data({ message: outdatedChoices }, { status: 409 });
    }
    const outcome = await saveDeployment({ context: app, session, principal }, deployment, {
      name: deployment.name,
      options: old.stored.options,
      expectedVersion: deployment.version,
    });
    if (outcome.ok) return redirect(`/dashboard/deployments/${deployment.id}/versions`, 303);
    const words = [outcome.message, ...(outcome.problems ?? []).map(({ message }) => message)];
    return data({ message: words.join(" ") }, { status: outcome.status });
  },
});

export default function Versions({ loaderData, actionData }: Route.ComponentProps) {
  const { version, versions, older, from, to, changes, readOnly } = loaderData;
  const choices = versions.map((each) => ({
    value: String(each.version),
    label: `v${each.version} · ${dayOf(each.savedAt)}`,
  }));
  return (
    <div className="pt-8">
      <h1 className="text-2xl">Versions</h1>
      <p className="mt-2 text-ink-soft">
        {`The newest ${siteQuotas.deploymentVersions} are kept. With each further save the oldest is removed.`}
      </p>
      {readOnly ? <PlanNotice {...readOnly} /> : null}
      {actionData?.message ? (
        <Message kind="failure" className="mt-6">
          {actionData.message}
        </Message>
      ) : null}
      <Form
        key={`${from} ${to}`}
        method="get"
        className="mt-8 grid items-end gap-4 border-y border-line py-6 sm:grid-cols-[1fr_1fr_auto]"
      >
        <SelectField name="from" label="From" options={choices} defaultValue={String(from)} />
        <SelectField name="to" label="To" options={choices} defaultValue={String(to)} />
        <Button type="submit" variant="secondary">
          Compare
        </Button>
      </Form>
      {older > 0 ? (
        <Link
          to={`?${new URLSearchParams({ from: `${from}`, to: `${to}`, "up-to": `${older}` })}`}
          className="mt-2 inline-flex min-h-11 items-center text-sm text-ink-soft hover:text-ink"
        >
          Older versions to choose from
        </Link>
      ) : null}
      <section aria-labelledby="changes" className="mt-8">
        <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
          <h2 id="changes" className="text-xl">
            What changed from v{from} to v{to}
          </h2>
          {from === version || readOnly ? null : (
            <Form method="post" preventScrollReset>
              <Button type="submit" variant="secondary" name="restore" value={from}>
                Restore v{from}
              </Button>
            </Form>
          )}
        </div>
        {changes === undefined ? (
          <Message kind="warning">
            The choices of one of these versions no longer make a server, so they cannot be
            compared.
          </Message>
        ) : changes.length === 0 ? (
          <p className="text-ink-soft">
            {from === to ? "This is one version." : "Both versions make the same files."}
          </p>
        ) : (
          <ChangesView changes={changes} />
        )}
      </section>
    </div>
  );
}
