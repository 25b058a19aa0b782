import { useRef } from "react";
import { data, Form, redirect, useSearchParams } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { CommandBox } from "~/features/deployments/page/command-box";
import { More } from "~/features/deployments/page/more";
import { refused } from "~/features/servers/audit-change.server";
import { readSessionsCommand } from "~/features/servers/connect/connected-view.server";
import { MissingList } from "~/features/servers/connect/missing-list";
import { readServer } from "~/features/servers/fleets.server";
import {
  changeIncident,
  isIncidentIntent,
} from "~/features/servers/incidents/incident-changes.server";
import {
  MaintenanceWindow,
  OpenIncident,
  PastIncidents,
} from "~/features/servers/incidents/incident-sections";
import { incidentView } from "~/features/servers/incidents/incident-view";
import { LiveLine } from "~/features/servers/live/live-line";
import { liveWith, pageSessionOf } from "~/features/servers/live/live-page.server";
import { keepStaleData } from "~/features/servers/live/stale-data";
import { useLive } from "~/features/servers/live/use-live";
import { type Range, rangeOf } from "~/features/servers/metrics/series";
import { ServerCharts } from "~/features/servers/metrics/server-charts";
import { roleWords } from "~/features/servers/pages/cluster-words";
import { ServerOutside } from "~/features/servers/pages/outside-section";
import { RunsVersionLines } from "~/features/servers/pages/runs-version";
import { changeServer, isServerIntent } from "~/features/servers/pages/server-changes.server";
import { serverCrumbs } from "~/features/servers/pages/server-crumbs";
import { serverDeployment, serverDetails } from "~/features/servers/pages/server-details.server";
import {
  FindingsList,
  FirstBoot,
  HistoryList,
  Paused,
  ServerFacts,
  TakeOver,
  WayThere,
} from "~/features/servers/pages/server-sections";
import { IngestOutageMessage, ServerStateBadge } from "~/features/servers/pages/server-status";
import type { ServerPage } from "~/features/servers/pages/server-view";
import {
  changeThresholds,
  isThresholdIntent,
} from "~/features/servers/pages/threshold-changes.server";
import { Thresholds } from "~/features/servers/pages/threshold-section";
import { changeRollout, isRolloutIntent } from "~/features/servers/rollouts/rollout-changes.server";
import { rolloutDetails } from "~/features/servers/rollouts/rollout-details.server";
import { RolloutSection } from "~/features/servers/rollouts/rollout-section";
import { isServerId } from "~/features/servers/server-id";
import { roleMay, useMay } from "~/features/workspaces/roles";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { type AppContext, appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { consoleBase, useConsoleBase } from "~/ui/console/console-path";
import { OnThisPage } from "~/ui/console/on-this-page";
import { Section } from "~/ui/console/section";
import { useFocusAfterPost } from "~/ui/console/use-focus-after-post";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/server";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle(loaderData?.name ?? "Server") },
  { name: "robots", content: "noindex" },
];

export const handle = {
  right: "servers",
  isRead: true,
  breadcrumbs: serverCrumbs,
} satisfies ConsoleHandle;

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepStaleData];

const unreadable =
  "Your servers cannot be read right now. They run as before. Please try again in a moment.";

/** What came of an answer that the page itself shows no more. The key travels in the URL, the words do not. */
const noticesAfter: ReadonlyMap<string | null, string> = new Map([
  [
    "allow",
    "The new machine was allowed: from its next report on this is the server that you see here.",
  ],
  ["check", "It was checked from outside just now. What came of it is below."],
  [
    "refuse",
    "The other machine was refused, and nothing of it is taken. It runs on and hears so with its next report. To see it here as a server of its own, connect it there with a new token.",
  ],
]);

/** The server at an address. Somebody else's is 404 like nobody's. */
async function serverOrThrow(
  { context, params }: Pick<Route.LoaderArgs, "context" | "params">,
  range?: Range,
) {
  const workspace = openWorkspace(context);
  const pageSession = await pageSessionOf(context);
  const scope = { context: context.get(appContext), workspace, pageSession };
  const server = isServerId(params.id) ? await readServer(scope, params.id, range) : null;
  if (server === undefined) throw data(unreadable, { status: 503 });
  if (server === null) throw data(null, { status: 404 });
  return server;
}

export async function loader(args: Route.LoaderArgs) {
  const range = rangeOf(new URL(args.request.url).searchParams.get("range"));
  const server = await serverOrThrow(args, range);
  const context = args.context.get(appContext);
  const { supabase } = args.context.get(sessionContext);
  const deployment = await serverDeployment(supabase, server);
  const visitor = await args.context.get(sessionContext).visitor();
  const workspace = openWorkspace(args.context);
  const rollouts = await rolloutDetails(
    {
      ...{ context, supabase, workspace, mayRollOut: roleMay(workspace.role, "rollout") },
      person: visitor.state === "signed-in" ? visitor.userId : "",
    },
    server,
  );
  return {
    rollouts,
    deploymentName: deployment?.name,
    ...serverDetails(server, deployment, await sessionsCommandOf(server, context)),
    incidents: incidentView(server, server.incidents),
    live: liveWith(context, server.ticket),
  };
}

/** What would give its sessions, where its machine was connected as it was and does not have it. */
function sessionsCommandOf({ layout }: ServerPage, context: AppContext) {
  return layout?.facts.sessions === "no" ? readSessionsCommand(context) : undefined;
}

export const action = guarded({
  refused: ({ status, message }) => data({ message }, { status }),
  async allowed(args: Route.ActionArgs, principal) {
    const { context, request } = args;
    const server = await serverOrThrow(args);
    const form = await readForm(request);
    const scope = {
      context: context.get(appContext),
      session: context.get(sessionContext),
      workspace: openWorkspace(context),
      ...{ principal, server, form },
    };
    const intent = form.get("intent") ?? "";
    const outcome = isServerIntent(intent)
      ? await changeServer(intent, scope)
      : isIncidentIntent(intent)
        ? await changeIncident(intent, scope)
        : isThresholdIntent(intent)
          ? await changeThresholds(intent, scope)
          : isRolloutIntent(intent)
            ? await changeRollout(intent, scope)
            : refused(400, "This form is not known here. Load the page again.");
    if (!outcome.ok) return data({ message: outcome.message }, { status: outcome.status });
    const notice = noticesAfter.has(intent) ? `?notice=${intent}` : "";
    return redirect(`${consoleBase(request.url)}/servers/${server.id}${notice}`, 303);
  },
});

const allSections: readonly [id: string, title: string][] = [
  ["rollout", "Version"],
  ["findings", "Findings"],
  ["outside", "From outside"],
  ["missing", "What is missing"],
  ["changes", "What changed"],
  ["figures", "Figures"],
  ["incidents", "Past incidents"],
  ["maintenance", "Maintenance"],
  ["facts", "Server details"],
];

/** Sections of servers that are connected alone. */
const ofConnected = new Set(["maintenance", "outside", "missing"]);

export default function Server({ loaderData: server, actionData }: Route.ComponentProps) {
  const base = useConsoleBase();
  const mayChange = useMay("servers");
  const mayDescribe = useMay("describe");
  const { name, state, isBooting, isRetired, hasCalls, request, participants, incidents } = server;
  const live = useLive(server.live, [server.id]);
  const [search] = useSearchParams();
  const notice = request ? undefined : noticesAfter.get(search.get("notice"));
  const page = useRef<HTMLDivElement>(null);
  useFocusAfterPost(page);
  const isMissing = server.layout !== undefined && server.layout.missing.length > 0;
  const runs = server.runs?.kind === "version" ? server.runs : undefined;
  const showsRollouts = server.rollouts !== undefined && runs !== undefined && !isRetired;
  const sections = allSections.filter(
    ([id]) =>
      (!isRetired || !ofConnected.has(id)) &&
      (id !== "outside" || hasCalls) &&
      (id !== "missing" || isMissing) &&
      (id !== "rollout" || showsRollouts),
  );
  return (
    <div ref={page} className="pt-8">
      <h1 className="text-2xl wrap-anywhere">{name}</h1>
      <div data-outcome tabIndex={-1}>
        <div role="status" className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
          <ServerStateBadge state={state} />
          {server.role ? <Badge variant="neutral">{roleWords[server.role]}</Badge> : null}
          {server.labels.map((label) => (
            <Badge key={label} variant="neutral">
              {label}
            </Badge>
          ))}
          {incidents.maintenanceUntil ? <Badge variant="neutral">In maintenance</Badge> : null}
          {participants === undefined ? null : (
            <span className="font-mono text-sm tabular-nums">{participants} in calls</span>
          )}
          {server.role ? (
            <TextLink to={`${base}/deployments/${server.deployment}#cluster`}>Cluster</TextLink>
          ) : null}
          {server.deployment ? (
            <TextLink to={`${base}/deployments/${server.deployment}`}>
              {server.deploymentName ? `Deployment: ${server.deploymentName}` : "Deployment"}
            </TextLink>
          ) : null}
          {hasCalls ? (
            <TextLink to={`${base}/servers/${server.id}/sessions`}>Sessions</TextLink>
          ) : null}
          {hasCalls && mayChange && !isRetired && server.deployment ? (
            <TextLink to={`${base}/deployments/${server.deployment}/rooms`} reloadDocument>
              Live rooms
            </TextLink>
          ) : null}
          {hasCalls ? (
            <TextLink to={`${base}/servers/${server.id}/evidence`}>Why calls fail</TextLink>
          ) : null}
        </div>
        <LiveLine live={live} readAt={server.readAt} />
        {server.layout?.words ? (
          <p className="mt-3 max-w-prose text-sm wrap-anywhere">
            <span>{`${server.layout.words}. `}</span>
            {mayDescribe && !isRetired ? (
              <TextLink to={`${base}/deployments/move-in`}>Make it a deployment</TextLink>
            ) : null}
          </p>
        ) : null}
        {server.runs && server.deployment ? (
          <p className="mt-3 max-w-prose text-sm wrap-anywhere">
            <RunsVersionLines
              runs={server.runs}
              deployment={server.deployment}
              isRetired={isRetired}
              isOfCluster={server.role !== undefined}
              hasRollouts={showsRollouts}
            />
          </p>
        ) : null}
        {actionData ? (
          <Message kind="failure" className="mt-6">
            {actionData.message}
          </Message>
        ) : notice ? (
          <Message kind="success" className="mt-6">
            {notice}
          </Message>
        ) : null}
      </div>
      {server.ourFault ? <IngestOutageMessage since={server.ourFault} /> : null}
      {server.paused ? <Paused why={server.paused} mayKeep={mayChange} /> : null}
      {request && !isRetired ? <TakeOver request={request} mayAnswer={mayChange} /> : null}
      {incidents.open ? (
        <section aria-label="What is wrong now" className="mt-6">
          <OpenIncident incident={incidents.open} />
          <WayThere place={server.place} />
        </section>
      ) : null}
      <OnThisPage sections={isBooting ? [["boot", "First boot"], ...sections] : sections} />
      {isBooting ? (
        <Section
          id="boot"
          title="First boot"
          detail="Each stage appears here as the server reaches it. It takes some minutes."
        >
          <FirstBoot stages={server.stages} />
        </Section>
      ) : null}
      {showsRollouts && server.rollouts && runs && server.deployment ? (
        <Section
          id="rollout"
          title={runs.newer ? "A newer version is ready" : "Version"}
          detail="The server takes up a version by itself only when people approve it with passkeys that the server knows. It checks everything first, waits for a quiet moment, and goes back by itself where the version does not work."
        >
          <RolloutSection
            rollouts={server.rollouts}
            deployment={server.deployment}
            running={runs.version}
            newer={runs.newer}
            isOfCluster={server.role !== undefined}
          />
        </Section>
      ) : null}
      <Section
        id="findings"
        title="Findings"
        detail={`What ${server.asItWas ? "its reports" : "the server's own doctor"} and checks from outside found, what is known of the versions that run, which of your thresholds are reached, and what to do about it.`}
      >
        <FindingsList {...server} />
      </Section>
      {isRetired || !hasCalls ? null : (
        <Section
          id="outside"
          title="From outside"
          detail="What a customer's browser needs, asked from the internet step by step."
        >
          <ServerOutside
            outside={server.outside}
            isSimulated={server.isSimulated}
            mayCheck={mayChange}
          />
        </Section>
      )}
      {server.layout && server.layout.missing.length > 0 && !isRetired ? (
        <Section
          id="missing"
          title="What is missing"
          detail="What is not known of this server, and the lines that would give it. Nothing is changed for you."
        >
          <MissingList missing={server.layout.missing} />
        </Section>
      ) : null}
      <Section id="changes" title="What changed" detail="In the last 24 hours.">
        <HistoryList history={server.history} />
        {isBooting || server.stages.every(({ at }) => at === undefined) ? null : (
          <More summary="The first boot">
            <FirstBoot stages={server.stages} />
          </More>
        )}
      </Section>
      <Section
        id="figures"
        title="Figures"
        detail="The line is the mean, the band goes from the least to the most. A gap means that nothing was reported."
        wide
      >
        <ServerCharts charts={server.charts} />
        {isRetired ? null : <Thresholds {...server} />}
      </Section>
      <Section id="incidents" title="Past incidents" detail="Of the last 90 days.">
        <PastIncidents past={incidents.past} isOneOpen={incidents.open !== undefined} />
      </Section>
      {isRetired ? null : (
        <Section
          id="maintenance"
          title="Maintenance"
          detail="While it lasts nobody is told of this server."
        >
          <MaintenanceWindow until={incidents.maintenanceUntil} />
        </Section>
      )}
      <Section id="facts" title="Server details">
        <ServerFacts server={server} />
        {mayChange && !isRetired ? (
          <div className="print:hidden">
            <More summary="Labels">
              <Form method="post" preventScrollReset className="grid max-w-prose gap-3 pb-2">
                <TextField
                  name="labels"
                  label="Labels"
                  hint="With commas between them, such as: eu-west, staging. The list of servers finds them."
                  defaultValue={server.labels.join(", ")}
                  maxLength={420}
                  autoComplete="off"
                />
                <Button
                  type="submit"
                  name="intent"
                  value="label"
                  variant="secondary"
                  className="justify-self-start"
                >
                  Save
                </Button>
              </Form>
            </More>
          </div>
        ) : null}
        {mayChange && !isRetired ? (
          <More summary="Disconnect it from the console">
            <Form method="post" className="pb-2">
              <input type="hidden" name="intent" value="disconnect" />
              <p className="max-w-prose text-sm">
                The server goes on as before and reports no more. What it reported stays here for 90
                days. To connect it again it needs a new token.
              </p>
              {server.asItWas ? (
                <div className="mt-3 grid max-w-prose gap-3 text-sm">
                  <p>
                    {server.asItWas.isCluster
                      ? "This takes everything away that was made in the cluster for it. Disconnect the server here as well."
                      : "This on the machine disconnects it too, and takes away the folder and the two units of the script: the machine is as it was before."}
                  </p>
                  <CommandBox text={server.asItWas.removal} label="the command that removes it" />
                </div>
              ) : null}
              <Button type="submit" variant="danger" className="mt-3">
                Disconnect {name}
              </Button>
            </Form>
          </More>
        ) : null}
      </Section>
    </div>
  );
}
