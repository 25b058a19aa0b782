import { data } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { machinesOf } from "~/features/deployments/bundle/options/derived-options";
import { connectionOf } from "~/features/deployments/download/bundles.server";
import { foundOrThrow } from "~/features/deployments/download/downloads.server";
import { madeView } from "~/features/deployments/download/made-view.server";
import { SecretsInBrowser } from "~/features/deployments/download/secrets-in-browser";
import { userDataLine } from "~/features/deployments/download/user-data-line";
import { FilesView } from "~/features/deployments/files/files-view";
import { DeploymentHeader } from "~/features/deployments/page/deployment-header";
import { PortTable } from "~/features/deployments/page/port-table";
import { entitlementOfVisitor } from "~/features/deployments/plan/entitlement.server";
import { PlanNotice } from "~/features/deployments/plan/plan-notice";
import { readOnlyNotice } from "~/features/deployments/plan/read-only.server";
import { DownloadForm } from "~/features/deployments/progress/download-form";
import { stepsDone } from "~/features/deployments/progress/later-steps";
import { NextLine } from "~/features/deployments/progress/next-line";
import { nextWords } from "~/features/deployments/progress/next-words";
import { ServerSteps } from "~/features/deployments/progress/server-steps";
import {
  answerAddress,
  answerLook,
  answerProgress,
  answerSecretsOnServer,
  type StepOutcome,
} from "~/features/deployments/progress/step-forms.server";
import { progressOf } from "~/features/deployments/progress/steps-view.server";
import { revalidatesAfterLook } from "~/features/deployments/progress/use-look";
import {
  deploymentsUnreadable,
  listVersions,
} from "~/features/deployments/record/deployments.server";
import { findDeployment } from "~/features/deployments/record/requested-deployment.server";
import { NewestVersions } from "~/features/deployments/versions/newest-versions";
import { findNotApplied } from "~/features/deployments/versions/not-applied.server";
import { NotAppliedNotice } from "~/features/deployments/versions/not-applied-notice";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { answerCluster } from "~/features/servers/connect/cluster-forms.server";
import { deploymentServers } from "~/features/servers/connect/deployment-servers.server";
import { answerConnect, answerRevoke } from "~/features/servers/connect/enrolment-tokens.server";
import { answerPreflight } from "~/features/servers/connect/preflight.server";
import { PreflightSection } from "~/features/servers/connect/preflight-section";
import { quotaRefusal } from "~/features/servers/connect/server-quota";
import { ServersSection } from "~/features/servers/connect/servers-section";
import { answerUserData } from "~/features/servers/connect/user-data.server";
import { LiveLine } from "~/features/servers/live/live-line";
import { keepStaleData } from "~/features/servers/live/stale-data";
import { useLive } from "~/features/servers/live/use-live";
import { ClusterSection } from "~/features/servers/pages/cluster-section";
import { reportedServers } from "~/features/servers/pages/reported-servers.server";
import { readWorkspaceFleet } from "~/features/servers/pages/workspace-fleet.server";
import { refusalFor, roleMay, useMay } from "~/features/workspaces/roles";
import { openWorkspace, workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { answerOr, siteUnreachable } from "~/http/unreachable.client";
import { siteQuotas } from "~/platform/database/quotas";
import { pageTitle } from "~/seo/page-meta";
import { consoleBase, useConsoleBase } from "~/ui/console/console-path";
import { OnThisPage } from "~/ui/console/on-this-page";
import { Section } from "~/ui/console/section";
import { LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/deployment";

const versionsShown = 3;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle(loaderData?.name ?? "Deployment") },
  { name: "robots", content: "noindex" },
];

export const handle = deploymentHandle();

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepStaleData];

export async function loader(args: Route.LoaderArgs) {
  const { params, request, context } = args;
  const app = context.get(appContext);
  const { supabase } = context.get(sessionContext);
  const deployment = foundOrThrow(await findDeployment(args));
  const filesRefusal = refusalFor(openWorkspace(context).role, "download");
  const base = consoleBase(request.url);
  const reading = entitlementOfVisitor(supabase, app, { id: deployment.workspaceId });
  const reported = readWorkspaceFleet(context);
  const reporting = reported.then((found) => reportedServers(found?.servers ?? []));
  const [entitlement, fleet, listed, readOnly, notApplied] = await Promise.all([
    reading,
    reported,
    listVersions(supabase, params.id),
    reading.then((found) => readOnlyNotice(supabase, found, deployment, base)),
    reporting.then((reports) => findNotApplied(supabase, deployment, app, reports)),
  ]);
  const versions = foundOrThrow(listed);
  const { id, name, version, stored, updatedAt } = deployment;
  const saved = { deployment: id, number: version };
  const [progress] = (await progressOf(supabase, [deployment], app, await reporting)) ?? [];
  if (!progress) throw data(deploymentsUnreadable, { status: 503 });
  const common = {
    id,
    name,
    version,
    steps: progress.view,
    next: nextWords(progress),
    updatedAt,
    readOnly,
    notApplied,
    filesRefusal,
    ...(await deploymentServers(context, fleet, deployment, entitlement)),
    machines: "options" in stored && stored.options ? machinesOf(stored.options) : 1,
    secretsInBrowser: "options" in stored && stored.options?.secrets === "browser",
    connection: connectionOf(app, { version: saved }),
  };
  const options = "options" in stored ? stored.options : undefined;
  if (!options) return { ...common, versions, made: undefined };
  return {
    ...common,
    versions: versions.slice(0, versionsShown),
    made: await madeView(app, options, {
      version: saved,
      filesRefusal,
      requestedPath: new URL(request.url).searchParams.get("file"),
    }),
  };
}

export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    const text = (await readForm(request)).get("machines");
    return data<StepOutcome>(text === null ? { message } : { message, machines: { text } }, {
      status,
    });
  },
  async allowed(args: Route.ActionArgs, principal) {
    const { request, context } = args;
    const app = context.get(appContext);
    const session = context.get(sessionContext);
    const deployment = foundOrThrow(await findDeployment(args));
    const form = await readForm(request);
    const scope = { context: app, session, principal };
    const base = consoleBase(request.url);
    const page = `${base}/deployments/${deployment.id}`;
    const back = form.get("page") === "overview" ? base : page;
    const workspace = context.get(workspaceContext);
    const mayTick = workspace !== null && roleMay(workspace.role, "describe");
    switch (form.get("intent")) {
      case "progress":
        return answerProgress({ ...scope, deployment, form, back });
      case "address":
        return answerAddress({ ...scope, deployment, form, back });
      case "look":
        return answerLook({ ...scope, deployment, form, back, mayTick });
      case "preflight":
        return answerPreflight({ ...scope, workspace: openWorkspace(context), deployment });
      case "connect":
        return answerConnect({ ...scope, workspace: openWorkspace(context), deployment, form });
      case "user-data":
        return answerUserData({ ...scope, workspace: openWorkspace(context), deployment });
      case "revoke-tokens":
        return answerRevoke({ ...scope, workspace: openWorkspace(context), deployment });
      case "acknowledge":
      case "unacknowledge":
      case "snooze":
      case "maintenance":
        return answerCluster({
          ...scope,
          workspace: openWorkspace(context),
          deployment,
          form,
          page,
        });
      case "secrets-on-server":
        return answerSecretsOnServer({ ...scope, deployment, back: page });
      default:
        return data<StepOutcome>(
          { message: "This form is not known here. Load the page again." },
          { status: 400 },
        );
    }
  },
});

export const shouldRevalidate = revalidatesAfterLook;

/** A look that the page asks for by itself must not replace the page where no answer arrives. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  const unreachable: StepOutcome = { message: siteUnreachable };
  return answerOr(serverAction(), unreachable);
}

/** The parts of the page that are shown, in their order. */
function sectionsOf({
  made,
  servers,
  cluster,
}: Pick<Route.ComponentProps["loaderData"], "made" | "servers" | "cluster">): [
  id: string,
  title: string,
][] {
  const parts: [id: string, title: string, isShown: boolean][] = [
    ["cluster", "Cluster", cluster !== undefined],
    ["steps", "Set it up", made !== undefined],
    ["outside", "From outside", made !== undefined],
    ["secrets", "Secrets", made?.browserOptions !== undefined],
    ["servers", "Servers", servers !== null],
    ["files", "Files", made !== undefined],
    ["ports", "Ports", made !== undefined],
    ["versions", "Versions", true],
  ];
  return parts.flatMap(([id, title, isShown]) => (isShown ? [[id, title]] : []));
}

export default function DeploymentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, version, steps, versions, made, updatedAt, readOnly, filesRefusal } =
    loaderData;
  const { servers, readAt, tokens } = loaderData;
  // Before there is a server, or a token with which one may come, nothing changes by itself.
  const isFollowed =
    servers && (servers.length > 0 || loaderData.cluster !== undefined || tokens !== undefined);
  const live = useLive(loaderData.live, "all");
  const base = useConsoleBase();
  const [mayDescribe, mayCheck] = [useMay("describe"), useMay("servers")];
  const here = `${base}/deployments/${id}`;
  return (
    <div className="pt-8">
      <DeploymentHeader name={name} made={made}>
        {steps?.hasConnected && !steps.secretsInBrowser && !filesRefusal ? (
          <DownloadForm view={steps} use="apply">
            Files for apply
          </DownloadForm>
        ) : null}
        {readOnly || !mayDescribe ? null : (
          <LinkButton to={`${here}/edit`} variant="secondary">
            Edit
          </LinkButton>
        )}
      </DeploymentHeader>
      <p className="mt-5 text-sm">
        <NextLine next={loaderData.next} />
      </p>
      {actionData?.message ? (
        <Message kind="failure" className="mt-6">
          {actionData.message}
        </Message>
      ) : null}
      {readOnly ? <PlanNotice {...readOnly} /> : null}
      {loaderData.notApplied ? (
        <NotAppliedNotice notice={loaderData.notApplied} here={here} />
      ) : null}
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

      <OnThisPage sections={sectionsOf(loaderData)} />
      <div>
        {loaderData.cluster ? (
          <Section
            id="cluster"
            title="Cluster"
            wide
            detail="Its machines are watched as one: one incident, which is told once."
          >
            <ClusterSection cluster={loaderData.cluster} id={id} />
          </Section>
        ) : null}
        {steps ? (
          <Section
            id="steps"
            title="Set it up"
            detail={
              <span>
                {`${stepsDone(steps.states)} of 5 done. Stuck? `}
                <TextLink to={`${base}/support?deployment=${id}`}>Ask us</TextLink>
              </span>
            }
          >
            <ServerSteps
              view={steps}
              outcome={actionData}
              page="deployment"
              quotaRefusal={quotaRefusal(loaderData.quota)}
            />
          </Section>
        ) : null}
        {steps ? (
          <Section
            id="outside"
            title="From outside"
            detail="Whether the internet reaches this server, step by step: before its first boot and after."
          >
            <PreflightSection
              hasAddress={steps.address !== undefined}
              mayCheck={mayCheck}
              preflight={actionData?.preflight}
            />
          </Section>
        ) : null}
        {made?.browserOptions ? (
          <Section
            id="secrets"
            title="Secrets"
            detail="You chose to make them yourself, so the zip is made in your browser too."
          >
            <SecretsInBrowser
              options={made.browserOptions}
              zipName={made.zipName}
              connection={loaderData.connection}
            />
          </Section>
        ) : null}
        {loaderData.servers === null ? null : (
          <Section
            id="servers"
            title="Servers"
            detail="What connected servers say of themselves. None has to be connected."
          >
            {readAt && isFollowed ? <LiveLine live={live} readAt={readAt} /> : null}
            <ServersSection
              secretsInBrowser={loaderData.secretsInBrowser}
              servers={loaderData.servers}
              hasCluster={loaderData.cluster !== undefined}
              savedServers={loaderData.knownServers}
              quota={loaderData.quota}
              missing={loaderData.machines - (loaderData.cluster?.machines.length ?? 0)}
              tokens={loaderData.tokens}
              made={actionData?.token}
              userData={actionData?.userData}
              areTokensRevoked={actionData?.areTokensRevoked}
              typed={actionData?.machines}
            />
          </Section>
        )}
        {made ? (
          <>
            <Section
              id="files"
              title="Files"
              wide
              detail={`${made.files.length} files, made from your choices. ${userDataLine(made.userData, steps?.several !== undefined)}`}
            >
              {made.shown ? (
                <FilesView
                  files={made.files}
                  openFile={made.shown}
                  fileAddress={(path) => `${here}/files/${path}`}
                />
              ) : (
                <Message kind="warning">{filesRefusal}</Message>
              )}
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
        <Section
          id="versions"
          title="Versions"
          detail={`The newest ${siteQuotas.deploymentVersions} are kept.`}
        >
          <NewestVersions versions={versions} current={version} savedAt={updatedAt} here={here} />
        </Section>
      </div>
    </div>
  );
}
