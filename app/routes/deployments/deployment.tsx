import { data, redirect } from "react-router";
import { guarded } from "~/features/auth/guard/guarded-action.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { bundle } from "~/features/deployments/bundle/bundle";
import {
  filesWithSecrets,
  foundOrThrow,
  outdatedChoices,
  zipName,
} from "~/features/deployments/download/downloads.server";
import { SecretsInBrowser } from "~/features/deployments/download/secrets-in-browser";
import { userDataLine } from "~/features/deployments/download/user-data-line";
import { Code } from "~/features/deployments/files/code";
import { FilesView } from "~/features/deployments/files/files-view";
import { Checklist } from "~/features/deployments/page/checklist";
import { DnsTable, PortTable } from "~/features/deployments/page/requirements-view";
import { Section } from "~/features/deployments/page/section";
import { PlanNotice } from "~/features/deployments/plan/plan-notice";
import { readOnlyNotice } from "~/features/deployments/plan/read-only.server";
import { listVersions, readDeployment } from "~/features/deployments/record/deployments.server";
import { saveDeployment, setProgress } from "~/features/deployments/record/save-deployments.server";
import { progressSteps } from "~/features/deployments/stored-deployment";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { displayDomain } from "~/features/deployments/words/display-domain";
import { machineWords } from "~/features/deployments/words/machine-words";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body/form.server";
import { pageTitle } from "~/seo/page-meta";
import { dayOf } from "~/ui/dates";
import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { CopyButton } from "~/ui/primitives/copy-button";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/deployment";

/** The provider's commands that make firewall, address and machine. */
const commandsPath = "create-vm.sh";
const versionsShown = 3;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle(loaderData?.name ?? "Deployment") },
  { name: "robots", content: "noindex" },
];

export const handle = deploymentHandle();

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { supabase } = context.get(sessionContext);
  const deployment = foundOrThrow(await readDeployment(supabase, params.id));
  const [listed, readOnly] = await Promise.all([
    listVersions(supabase, params.id),
    readOnlyNotice(supabase, context.get(appContext), deployment.id),
  ]);
  const versions = foundOrThrow(listed);
  const { id, name, version, progress, stored, updatedAt } = deployment;
  const common = { id, name, version, progress, updatedAt, readOnly };
  const options = "options" in stored ? stored.options : undefined;
  if (!options) return { ...common, versions, made: undefined };
  const made = bundle(options);
  const withSecrets = filesWithSecrets(options, made);
  const wanted = new URL(request.url).searchParams.get("file");
  const shown = made.files.find(({ path }) => path === wanted) ?? made.files[0];
  if (!shown) throw new Error("A bundle has files");
  return {
    ...common,
    versions: versions.slice(0, versionsShown),
    made: {
      domain: displayDomain(options.domain),
      place: machineWords(options),
      zipName: zipName(options, version),
      // The browser that makes the secrets needs the choices; the others need only what they show.
      browserOptions: options.secrets === "browser" ? options : undefined,
      warnings: made.warnings,
      ports: made.ports,
      dnsRecords: made.dnsRecords,
      userData: made.userData,
      files: made.files.map(({ path, purpose }) => ({ path, purpose })),
      shown: {
        path: shown.path,
        content: shown.content,
        language: shown.language,
        purpose: shown.purpose,
        withoutSecrets: withSecrets.has(shown.path),
      },
      commands: made.files.find(({ path }) => path === commandsPath)?.content,
    },
  };
}

export const action = guarded({
  refused: ({ status, message }) => data({ message }, { status }),
  async allowed({ params, request, context }: Route.ActionArgs, principal) {
    const app = context.get(appContext);
    const session = context.get(sessionContext);
    const deployment = foundOrThrow(await readDeployment(session.supabase, params.id));
    const form = await readForm(request);
    const scope = { context: app, session, principal };
    const page = `/dashboard/deployments/${deployment.id}`;
    switch (form.get("intent")) {
      case "progress": {
        const step = progressSteps.find((each) => each === form.get("step"));
        if (!step) return data({ message: "There is no such step." }, { status: 400 });
        const done = form.get("done") === "yes";
        return answer(await setProgress(scope, deployment.id, step, done), page);
      }
      case "secrets-on-server": {
        if (!("options" in deployment.stored)) {
          return data({ message: outdatedChoices }, { status: 409 });
        }
        const change = {
          name: deployment.name,
          options: { ...deployment.stored.options, secrets: "server" as const },
          expectedVersion: deployment.version,
        };
        return answer(await saveDeployment(scope, deployment, change), page);
      }
      default:
        return data(
          { message: "This form is not known here. Load the page again." },
          { status: 400 },
        );
    }
  },
});

function answer(
  outcome: { ok: true } | { ok: false; status: number; message: string },
  to: string,
) {
  if (outcome.ok) return redirect(to, 303);
  return data({ message: outcome.message }, { status: outcome.status });
}

export default function DeploymentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, version, progress, versions, made, updatedAt, readOnly } = loaderData;
  const here = `/dashboard/deployments/${id}`;
  return (
    <div className="pt-8">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="min-w-0">
          <h1 className="text-2xl break-words">{name}</h1>
          <p className="mt-2 font-mono text-sm wrap-anywhere text-ink-soft">
            {made ? <span className="text-ink">{made.domain}</span> : null}
            {made?.place.map((part) => (
              <span key={part}>
                <span aria-hidden="true"> · </span>
                {part}
              </span>
            ))}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          {made && !made.browserOptions ? (
            <LinkButton to={`${here}/bundle.zip`} reloadDocument download={made.zipName}>
              Download bundle
            </LinkButton>
          ) : null}
          {readOnly ? null : (
            <LinkButton to={`${here}/edit`} variant="secondary">
              Edit
            </LinkButton>
          )}
        </div>
      </div>
      {actionData?.message ? (
        <Message kind="failure" className="mt-6">
          {actionData.message}
        </Message>
      ) : null}
      {readOnly ? <PlanNotice {...readOnly} /> : null}
      {made ? null : (
        <Message kind="warning" className="mt-6">
          The choices of this version no longer make a server. Edit the deployment and save it
          again.
        </Message>
      )}
      {made && made.warnings.length > 0 ? (
        <Message kind="warning" className="mt-6">
          <ul className="grid gap-1">
            {made.warnings.map(({ path, message }) => (
              <li key={path + message}>{message}</li>
            ))}
          </ul>
        </Message>
      ) : null}

      <div className="mt-10">
        <Section id="checklist" title="Checklist" detail="From the files to a server that answers.">
          <Checklist progress={progress} />
        </Section>
        {made?.browserOptions ? (
          <Section
            id="secrets"
            title="Secrets"
            detail="You chose to make them yourself, so the zip is made in your browser too."
          >
            <SecretsInBrowser options={made.browserOptions} zipName={made.zipName} />
          </Section>
        ) : null}
        {made ? (
          <>
            <Section
              id="dns"
              title="DNS records"
              detail="Set them where your domain is managed. All point to one address."
            >
              <DnsTable records={made.dnsRecords} />
            </Section>
            {made.commands ? (
              <Section
                id="commands"
                title="Provider commands"
                detail="Run them where the files are. They make the firewall, the address and the VM."
              >
                <Card variant="strong" flush className="overflow-hidden">
                  <div className="flex items-center justify-between border-b border-line py-1 pr-1 pl-4">
                    <span className="font-mono text-sm">{commandsPath}</span>
                    <CopyButton text={made.commands} label="Copy the provider commands" />
                  </div>
                  <Code content={made.commands} language="shell" label="Commands to run" />
                </Card>
              </Section>
            ) : null}
            <Section
              id="files"
              title="Files"
              wide
              detail={`${made.files.length} files, made from your choices. ${userDataLine(made.userData)}`}
            >
              <FilesView
                files={made.files}
                shown={made.shown}
                fileAddress={(path) => `${here}/files/${path}`}
              />
            </Section>
            <Section
              id="ports"
              title="Ports"
              detail="The one list that configuration, firewall and provider rules are made from."
            >
              <PortTable ports={made.ports} />
            </Section>
          </>
        ) : null}
        <Section id="versions" title="Versions" detail="Every save is kept.">
          <ol className="border-t border-line">
            {versions.map((each) => (
              <li
                key={each.version}
                className="flex flex-wrap items-center gap-x-6 border-b border-line py-3 text-sm"
              >
                <span className="w-10 font-mono tabular-nums">v{each.version}</span>
                <time dateTime={each.savedAt} className="text-ink-soft">
                  {dayOf(each.savedAt)}
                </time>
                {each.version === version ? <span className="text-signal">current</span> : null}
              </li>
            ))}
          </ol>
          <TextLink to={`${here}/versions`} variant="standalone" className="mt-3">
            See what changed
          </TextLink>
          <p className="text-sm text-ink-soft">
            Last saved on <time dateTime={updatedAt}>{dayOf(updatedAt)}</time>.
          </p>
        </Section>
      </div>
    </div>
  );
}
