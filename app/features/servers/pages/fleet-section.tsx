import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { useMay } from "~/features/workspaces/roles";
import { useConsoleBase } from "~/ui/console/console-path";
import { RecentMoment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import { ChooseServer, ManyServers } from "../incidents/many-form";
import { LiveLine } from "../live/live-line";
import type { LivePage } from "../live/use-live";
import { DayDrawing } from "../metrics/day-drawing";
import { roleWords } from "./cluster-words";
import type { ClusterLine, FleetLine, FleetList, Group } from "./fleet-list.server";
import { IngestOutageMessage, ServerStateBadge, UnreadServers } from "./server-status";
import type { NamedServer } from "./workspace-fleet.server";

const groupWords: Record<Group, string> = {
  wrong: "Something is wrong",
  affected: "A version with a known fault",
  running: "Running",
  retired: "Disconnected",
};

/** The servers of the workspace with their states, the worst first. While `list` is undefined (the servers Worker cannot be reached): their names alone. */
export function FleetSection({
  list,
  known,
  unreached,
  live,
}: {
  list: FleetList | undefined;
  known: readonly NamedServer[];
  /** The warning where no channel reaches anybody. */
  unreached: string | undefined;
  live: LivePage;
}) {
  const base = useConsoleBase();
  const mayConnect = useMay("servers");
  if (!list) return <UnreadServers savedServers={known} />;
  const { lines, hasFilter, retired, group, affected } = list;
  return (
    <>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6">
        <p className="font-mono text-sm tabular-nums">{sum(list)}</p>
        {list.day ? <DayDrawing day={list.day} of="all servers together" /> : null}
        <LiveLine live={live} readAt={list.readAt} />
      </div>
      {unreached ? (
        <Message kind="warning" className="mt-4">
          {unreached} <TextLink to={`${base}/alerts`}>Alerts</TextLink>
        </Message>
      ) : null}
      {list.ourFault ? <IngestOutageMessage since={list.ourFault} /> : null}
      {affected > 0 && group !== "affected" ? (
        <Message kind="warning" className="mt-4">
          <span>{`${
            affected === 1
              ? "1 server runs a version with a known fault."
              : `${affected} servers run a version with a known fault.`
          } `}</span>
          <TextLink to="?show=affected">{`Show ${affected === 1 ? "it" : "them"}`}</TextLink>
        </Message>
      ) : null}
      {list.count > 1 ? <ManyServers {...list} /> : null}
      {hasFilter ? <Filter {...list} /> : null}
      {lines.length === 0 ? (
        <p className="mt-4">
          No server matches. <TextLink to="?">Show all</TextLink>
        </p>
      ) : (
        stretchesOf(list).map(({ name, lines }) => (
          <section key={lines[0]?.id} aria-label={name}>
            {name ? <h3 className="mt-6 text-lg wrap-anywhere">{name}</h3> : null}
            <ul
              aria-label={name ? `Servers of ${name}` : "Servers"}
              className="mt-4 border-t border-line"
            >
              {groupsOf(lines, list.clusters).map(({ cluster, lines }) =>
                cluster ? (
                  <Cluster key={cluster.id} cluster={cluster}>
                    {lines.map((line) => (
                      <Line
                        key={line.id}
                        line={{ ...line, deploymentName: undefined }}
                        sort={list.sort}
                        isOfMany={list.count > 1}
                      />
                    ))}
                  </Cluster>
                ) : (
                  lines.map((line) => (
                    <Line
                      key={line.id}
                      line={name ? { ...line, deploymentName: undefined } : line}
                      sort={list.sort}
                      isOfMany={list.count > 1}
                    />
                  ))
                ),
              )}
            </ul>
          </section>
        ))
      )}
      {list.hidden > 0 ? (
        <TextLink to="?show=all" variant="standalone" className="text-sm">
          {`${list.hidden} more`}
        </TextLink>
      ) : null}
      {hasFilter || (retired === 0 && !group) ? null : (
        <TextLink to={group ? "?" : "?show=retired"} variant="standalone" className="text-sm">
          {group ? "Connected servers" : `${retired} disconnected`}
        </TextLink>
      )}
      {mayConnect ? (
        <TextLink to={`${base}/servers/connect`} variant="standalone" className="text-sm">
          Connect a server that runs
        </TextLink>
      ) : null}
    </>
  );
}

/** The list in one piece, or a piece for each deployment. */
function stretchesOf({
  lines,
  isByDeployment,
}: FleetList): { name?: string; lines: FleetLine[] }[] {
  if (!isByDeployment) return [{ lines }];
  return [...Map.groupBy(lines, ({ deployment }) => deployment).values()].map((lines) => ({
    name:
      lines[0]?.deploymentName ??
      (lines[0]?.deployment === undefined ? "Without a deployment" : "A deployment that is gone"),
    lines,
  }));
}

/** The lines in their order: those of a cluster in one piece, each other by itself. */
function groupsOf(
  lines: readonly FleetLine[],
  clusters: readonly ClusterLine[],
): { cluster: ClusterLine | undefined; lines: FleetLine[] }[] {
  const clusterOf = ({ role, deployment }: FleetLine) =>
    role && clusters.find(({ id }) => id === deployment);
  const groups = Map.groupBy(lines, (line) => clusterOf(line)?.id ?? line.id);
  return [...groups.values()].map((group) => ({
    cluster: group[0] && (clusterOf(group[0]) || undefined),
    lines: group,
  }));
}

/** A cluster with its machines below it. */
function Cluster({ cluster, children }: { cluster: ClusterLine; children: ReactNode }) {
  const base = useConsoleBase();
  const { id, name, words, state, participants } = cluster;
  return (
    <li className="pt-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Link
            to={`${base}/deployments/${id}#cluster`}
            className="min-h-6 text-base font-strong wrap-anywhere hover:text-signal"
          >
            {name}
          </Link>
          <Badge variant={state.variant}>{state.words}</Badge>
          <span className="text-ink-soft">{words}</span>
        </div>
        {participants === undefined ? null : (
          <span className="font-mono tabular-nums">{`${participants} in calls`}</span>
        )}
      </div>
      <ul aria-label={`Machines of ${name}`} className="mt-2 border-t border-line pl-4">
        {children}
      </ul>
    </li>
  );
}

/** Of servers that nobody watches, or whose reports do not reach us, nothing is said to be well. */
function sum({ count, wrong, paused, notReceived, participants }: FleetList): string {
  const reporting = count - paused - notReceived;
  return [
    count === 1 ? "1 server" : `${count} servers`,
    ...(wrong > 0 ? [`something is wrong with ${wrong}`] : []),
    ...(wrong === 0 && reporting > 0 ? ["nothing is wrong"] : []),
    ...(notReceived > 0 ? [`reports of ${notReceived} do not reach us`] : []),
    ...(paused > 0 ? [`${paused} paused, not watched`] : []),
    ...(participants === undefined ? [] : [`${participants} in calls`]),
  ].join(" · ");
}

function Line({
  line,
  sort,
  isOfMany,
}: {
  line: FleetLine;
  sort: FleetList["sort"];
  isOfMany: boolean;
}) {
  const base = useConsoleBase();
  const { id, name, state, participants, lastParticipants, lastReportAt } = line;
  const { hasRequest, day, deploymentName, handling } = line;
  const { load, version, labels } = line;
  return (
    <li className="grid break-inside-avoid items-center gap-x-6 gap-y-1 border-b border-line py-3 text-sm lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {isOfMany ? <ChooseServer id={id} name={name} /> : null}
        <Link
          to={`${base}/servers/${id}`}
          className="min-h-6 text-base font-strong wrap-anywhere hover:text-signal"
        >
          {name}
        </Link>
        {line.role ? <Badge variant="neutral">{roleWords[line.role]}</Badge> : null}
        <ServerStateBadge state={state} />
        {handling.map((words) => (
          <Badge key={words} variant="neutral">
            {words}
          </Badge>
        ))}
        {hasRequest ? <Badge variant="warning">Another machine wants to replace it</Badge> : null}
        {labels.map((label) => (
          <Badge key={label} variant="neutral">
            {label}
          </Badge>
        ))}
        <span className="text-ink-soft wrap-anywhere">
          {[deploymentName, sort === "version" && version !== undefined ? `version ${version}` : ""]
            .filter(Boolean)
            .join(", ")}
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 lg:justify-end">
        {participants === undefined ? null : (
          <span className="font-mono tabular-nums">
            {`${participants} in calls${sort === "load" && load !== undefined ? ` · load ${load} %` : ""}`}
          </span>
        )}
        <DayDrawing day={day} />
        {lastReportAt && participants === undefined ? (
          <span className="text-ink-soft">
            <span>reported </span>
            <RecentMoment at={lastReportAt} />
            {lastParticipants ? <span>{`, ${lastParticipants} in calls then`}</span> : null}
          </span>
        ) : null}
      </div>
    </li>
  );
}

/** A form that reads, so that it works without script and stays in the address. */
function Filter({
  text,
  group,
  retired,
  sort,
  isByDeployment,
}: Pick<FleetList, "text" | "group" | "retired" | "sort" | "isByDeployment">) {
  const offered = (Object.keys(groupWords) as Group[]).filter(
    (each) => each !== "retired" || retired > 0,
  );
  return (
    <Form
      role="search"
      className="mt-4 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_1fr_auto] print:hidden"
    >
      <TextField
        name="q"
        label="Name, label, deployment or state"
        defaultValue={text}
        maxLength={100}
        autoComplete="off"
      />
      <SelectField
        name="show"
        label="Show"
        blank="Connected servers"
        options={offered.map((value) => ({ value, label: groupWords[value] }))}
        defaultValue={group}
      />
      <SelectField
        name="sort"
        label="Sort by"
        blank="State, the worst first"
        options={[
          { value: "people", label: "People in calls" },
          { value: "load", label: "Load" },
          { value: "version", label: "Version, the oldest first" },
          { value: "name", label: "Name" },
        ]}
        defaultValue={sort}
      />
      <SelectField
        name="by"
        label="Group"
        blank="All in one list"
        options={[{ value: "deployment", label: "By deployment" }]}
        defaultValue={isByDeployment ? "deployment" : ""}
      />
      <Button type="submit" variant="secondary">
        Filter
      </Button>
    </Form>
  );
}
