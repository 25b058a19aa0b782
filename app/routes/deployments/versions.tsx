import { data, Form, Link, redirect } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import type { DeploymentOptions } from "~/features/deployments/bundle/options/options";
import { compareOrThrow } from "~/features/deployments/download/bundles.server";
import {
  foundOrThrow,
  outdatedChoices,
  zipName,
} from "~/features/deployments/download/downloads.server";
import { ChangesView } from "~/features/deployments/files/changes-view";
import { entitlementOfVisitor } from "~/features/deployments/plan/entitlement.server";
import { PlanNotice } from "~/features/deployments/plan/plan-notice";
import { readOnlyNotice } from "~/features/deployments/plan/read-only.server";
import {
  listVersions,
  readVersion,
  versionsListed,
} from "~/features/deployments/record/deployments.server";
import { findDeployment } from "~/features/deployments/record/requested-deployment.server";
import {
  type DeploymentRefusal,
  noteVersion,
  saveDeployment,
  setAppliedVersion,
} from "~/features/deployments/record/save-deployments.server";
import { asReported, namesInWords } from "~/features/deployments/reported-servers";
import type { StoredOptions } from "~/features/deployments/stored-deployment";
import { ChoicesView } from "~/features/deployments/versions/choices-view";
import { changeBetween } from "~/features/deployments/versions/effects";
import { TaskList } from "~/features/deployments/versions/task-list";
import { wordsOfTasks } from "~/features/deployments/versions/task-words";
import { VersionRow } from "~/features/deployments/versions/version-row";
import { machineNotes } from "~/features/deployments/wizard/machine-notes.server";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { readFleet } from "~/features/servers/fleets.server";
import { reportedServers } from "~/features/servers/pages/reported-servers.server";
import { refusalFor, useMay } from "~/features/workspaces/roles";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { type AppContext, appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { siteQuotas } from "~/platform/database/quotas";
import { pageTitle } from "~/seo/page-meta";
import { consoleBase } from "~/ui/console/console-path";
import { shortMomentOf } from "~/ui/dates";
import { Button } from "~/ui/primitives/button";
import { SelectField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/versions";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle(`Versions of ${loaderData?.name ?? "a deployment"}`) },
  { name: "robots", content: "noindex" },
];

/** So many stand in the list; the others are chosen in the comparison. */
const versionsShown = 10;
const maxNote = 200;
const noteTooLong = `A note has at most ${maxNote} characters. Nothing was saved yet; what you typed is below.`;

/** A version's number as it stands in an address or a form; anything else is no version. */
function versionNumber(text: string | null, otherwise: number): number {
  if (text === null) return otherwise;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN;
}

/**
 * What differs from one version to another, by choices, by what is to do and by files. A member who may not have the
 * files reads only why. `name`: of the zip of what comes after.
 */
async function comparisonOf(
  before: StoredOptions,
  after: StoredOptions,
  name: (options: DeploymentOptions) => string,
  context: AppContext,
  filesRefusal: string | undefined,
) {
  if (!("options" in before) || !("options" in after)) return;
  const [was, is] = [before.options, after.options];
  const { files, isInstalledChanged } = await compareOrThrow(context, was, is);
  const { choices, tasks } = changeBetween(was, is, isInstalledChanged);
  // Only a cluster says what it costs.
  const notes = tasks.includes("cluster") ? await machineNotes(context) : undefined;
  const { monthly } = notes?.[`${is.provider} ${is.architecture}`] ?? {};
  return {
    choices,
    tasks: wordsOfTasks(tasks, was, is, name(is), monthly),
    files: filesRefusal ?? files,
  };
}

export const handle = deploymentHandle({ path: "versions", label: "Versions" });

export async function loader(args: Route.LoaderArgs) {
  const { request, context } = args;
  const app = context.get(appContext);
  const { supabase } = context.get(sessionContext);
  const search = new URL(request.url).searchParams;
  const deployment = foundOrThrow(await findDeployment(args));
  const filesRefusal = refusalFor(openWorkspace(context).role, "download");
  const { id, name, version } = deployment;
  const entitlement = await entitlementOfVisitor(supabase, app, { id: deployment.workspaceId });
  const base = consoleBase(request.url);
  const readOnly = await readOnlyNotice(supabase, entitlement, deployment, base);
  const upTo = versionNumber(search.get("up-to"), version);
  const listed = foundOrThrow(await listVersions(supabase, id, upTo || version));
  const to = versionNumber(search.get("to"), version);
  const from = versionNumber(search.get("from"), Math.max(1, to - 1));
  const workspace = openWorkspace(context);
  const [older, newer, fleet] = await Promise.all([
    readVersion(supabase, id, from),
    readVersion(supabase, id, to),
    app.configuration.SERVERS_URL ? readFleet({ context: app, workspace }) : undefined,
  ]);
  const reports = reportedServers(fleet?.servers ?? []);
  const { applied } = asReported(deployment, reports);
  const servers = reports.get(id);
  const running = servers?.running ?? [];
  const use = servers?.hasConnected ? "apply" : "new-machine";
  const zipOf = (options: DeploymentOptions) => zipName(options, to, use);
  const [before, after] = [foundOrThrow(older), foundOrThrow(newer)];
  const versions = [before, after, ...listed]
    .map(({ version, savedAt }) => ({ version, savedAt }))
    .filter((each, at, all) => all.findIndex(({ version }) => version === each.version) === at)
    .sort((one, other) => other.version - one.version);
  const oldest = listed.length < versionsListed ? 1 : (listed.at(-1)?.version ?? 1);
  return {
    id,
    name,
    version,
    applied: applied?.version,
    // Where servers differ each version says which run it.
    runOn: running.length > 1 ? running : [],
    isReported: applied !== undefined && applied.at === undefined,
    listed: listed.slice(0, versionsShown),
    versions,
    older: oldest - 1,
    from,
    to,
    comparison: await comparisonOf(before.stored, after.stored, zipOf, app, filesRefusal),
    readOnly,
  };
}

/** Restores an old version by saving its choices as a new one, notes something at a version, or says which one runs. */
export const action = guarded({
  refused: ({ status, message }) => refused(message, status),
  async allowed(args: Route.ActionArgs, principal) {
    const { request, context } = args;
    const app = context.get(appContext);
    const session = context.get(sessionContext);
    const deployment = foundOrThrow(await findDeployment(args));
    const scope = { context: app, session, principal };
    const here = `${consoleBase(request.url)}/deployments/${deployment.id}`;
    const form = await readForm(request);
    if (form.has("noted")) {
      const noted = versionNumber(form.get("noted"), Number.NaN);
      foundOrThrow(await readVersion(session.supabase, deployment.id, noted));
      const note = (form.get("note") ?? "").trim();
      if ([...note].length > maxNote) {
        return refused(noteTooLong, 400, { version: noted, note });
      }
      return answer(await noteVersion(scope, deployment.id, noted, note), `${here}/versions`);
    }
    if (form.has("applied")) {
      const runs =
        form.get("applied") === "none" ? undefined : versionNumber(form.get("applied"), Number.NaN);
      if (runs !== undefined)
        foundOrThrow(await readVersion(session.supabase, deployment.id, runs));
      const back = form.get("back") === "deployment" ? here : `${here}/versions`;
      return answer(await setAppliedVersion(scope, deployment.id, runs), back);
    }
    const number = versionNumber(form.get("restore"), Number.NaN);
    const old = foundOrThrow(await readVersion(session.supabase, deployment.id, number));
    if (!("options" in old.stored) || !old.stored.options) {
      return refused(outdatedChoices, 409);
    }
    const outcome = await saveDeployment(scope, deployment, {
      name: deployment.name,
      options: old.stored.options,
      expectedVersion: deployment.version,
      restored: number,
    });
    return answer(outcome, `${here}/versions`);
  },
});

function answer(outcome: { ok: true } | DeploymentRefusal, to: string) {
  if (outcome.ok) return redirect(to, 303);
  const words = [outcome.message, ...(outcome.problems ?? []).map(({ message }) => message)];
  return refused(words.join(" "), outcome.status);
}

function refused(message: string, status: number, typed?: { version: number; note: string }) {
  return data({ message, typed }, { status });
}

export default function Versions({ loaderData, actionData }: Route.ComponentProps) {
  const { version, applied, listed, versions, older, from, to, comparison, readOnly } = loaderData;
  const mayDescribe = useMay("describe");
  const choices = versions.map((each) => ({
    value: String(each.version),
    label: `v${each.version} · ${shortMomentOf(each.savedAt)}`,
  }));
  const typed = actionData?.typed;
  return (
    <div className="pt-8">
      <h1 className="text-2xl">Versions</h1>
      <p className="mt-2 max-w-prose text-ink-soft">
        {`Each save makes a version; the newest ${siteQuotas.deploymentVersions} are kept. None reaches your server by itself.`}
      </p>
      {readOnly ? <PlanNotice {...readOnly} /> : null}
      {actionData?.message ? (
        <Message kind="failure" className="mt-6">
          {actionData.message}
        </Message>
      ) : null}
      <ol className="mt-8 border-t border-line">
        {listed.map((each) => (
          <VersionRow
            key={each.version}
            line={each}
            isNewest={each.version === version}
            isOnServer={each.version === applied}
            onServers={onServers(loaderData.runOn, each.version)}
            isReported={loaderData.isReported}
            typedNote={typed?.version === each.version ? typed.note : undefined}
          />
        ))}
      </ol>
      {applied === undefined && mayDescribe ? (
        <p className="mt-4 max-w-prose text-sm text-ink-soft">
          Say which version your server runs, and this console tells you what to do after each save.
        </p>
      ) : null}
      <Form
        key={`${from} ${to}`}
        method="get"
        className="mt-10 grid items-end gap-4 border-y border-line py-6 sm:grid-cols-[1fr_1fr_auto]"
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
          {from === version || readOnly || !mayDescribe ? null : (
            <Form method="post" preventScrollReset>
              <Button type="submit" variant="secondary" name="restore" value={from}>
                Restore v{from}
              </Button>
            </Form>
          )}
        </div>
        {comparison === undefined ? (
          <Message kind="warning">
            The choices of one of these versions no longer make a server, so they cannot be
            compared.
          </Message>
        ) : from === to ? (
          <p className="text-ink-soft">This is one version.</p>
        ) : (
          <Comparison comparison={comparison} from={from} />
        )}
      </section>
    </div>
  );
}

function onServers(
  runOn: Route.ComponentProps["loaderData"]["runOn"],
  version: number,
): string | undefined {
  const names = runOn.find((each) => each.version === version)?.names;
  return names && `on ${namesInWords(names)}`;
}

function Comparison({
  comparison: { choices, tasks, files },
  from,
}: {
  comparison: NonNullable<Awaited<ReturnType<typeof comparisonOf>>>;
  from: number;
}) {
  return (
    <>
      {choices.length > 0 ? (
        <ChoicesView choices={choices} />
      ) : (
        <p className="text-ink-soft">Both versions have the same choices.</p>
      )}
      <h3 className="mt-10 mb-4 text-lg">On a server that runs v{from}</h3>
      {tasks.length > 0 ? (
        <TaskList tasks={tasks} />
      ) : (
        <p className="text-ink-soft">There is nothing to do.</p>
      )}
      <h3 className="mt-10 mb-4 text-lg">Files</h3>
      {typeof files === "string" ? (
        <Message kind="warning">{files}</Message>
      ) : files.length > 0 ? (
        <ChangesView changes={files} folded />
      ) : (
        <p className="text-ink-soft">Both versions make the same files.</p>
      )}
    </>
  );
}
