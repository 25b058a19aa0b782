import { Link } from "react-router";
import { useConsoleBase } from "~/ui/console/console-path";
import { RecentMoment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Message } from "~/ui/primitives/message";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import { MaintenanceWindow, OpenIncident } from "../incidents/incident-sections";
import type { ClusterCapacity } from "../state/capacity";
import type { ClusterView, MachineLine } from "./cluster-view.server";
import { basisWords, capacityFacts, roleWords } from "./cluster-words";
import { Fact } from "./server-sections";
import { ServerStateBadge } from "./server-status";

/** A cluster as one: what is wrong with it, its machines, and how many people it carries. */
export function ClusterSection({ cluster, id }: { cluster: ClusterView; id: string }) {
  const base = useConsoleBase();
  const { state, words, incidents, machines, capacity, rollout } = cluster;
  const hasEdge = machines.some(({ role }) => role === "edge");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Badge variant={state.variant}>{state.words}</Badge>
        {incidents.maintenanceUntil ? <Badge variant="neutral">In maintenance</Badge> : null}
        <span className="text-sm">{words}</span>
      </p>
      {incidents.open ? <OpenIncident incident={incidents.open} /> : null}
      <div>
        <h3 className="text-lg">Machines</h3>
        {rollout ? (
          <p className="mt-2 text-sm">
            {rollout.isOpen
              ? `Version ${rollout.version} is taken up by one machine after the other${hasEdge ? ", the edge last" : ""}.`
              : `Version ${rollout.version} was taken up in the last day.`}
          </p>
        ) : null}
        <Machines machines={machines} base={base} />
      </div>
      <div>
        <h3 className="text-lg">Capacity</h3>
        {cluster.isClosed ? (
          <Message kind="warning" className="mt-3">
            Nobody can join now. The figures are of the media machines alone.
          </Message>
        ) : null}
        {capacity ? <Capacity capacity={capacity} /> : <Unknown machines={machines} />}
      </div>
      <div>
        <h3 className="text-lg">Maintenance</h3>
        <p className="mt-2 mb-3 max-w-prose text-sm text-ink-soft">
          While it lasts nobody is told of this cluster. For one machine alone its own page has it.
        </p>
        <MaintenanceWindow until={incidents.maintenanceUntil} of="this cluster" />
      </div>
      <TextLink to={`${base}/incidents?deployment=${id}`} variant="standalone" className="text-sm">
        Past incidents
      </TextLink>
    </div>
  );
}

function Machines({ machines, base }: { machines: readonly MachineLine[]; base: string }) {
  return (
    <Table
      caption="The machines of the cluster"
      columns={["Machine", "State", "In calls", "Load", "Carries", "Version"]}
      className="mt-3"
    >
      <tbody>
        {machines.map((machine) => (
          <tr key={machine.id}>
            <th scope="row" className="min-w-28 text-left font-normal">
              <Link
                to={`${base}/servers/${machine.id}`}
                className="font-strong wrap-anywhere hover:text-signal"
              >
                {machine.name}
              </Link>
              <span className="block text-sm text-ink-soft">{roleWords[machine.role]}</span>
            </th>
            <td className="min-w-28">
              <span className="flex flex-wrap gap-2">
                <ServerStateBadge state={machine.state} />
                {machine.isInMaintenance ? <Badge variant="neutral">In maintenance</Badge> : null}
                {machine.hasRequest ? (
                  <Badge variant="warning">Another machine wants to replace it</Badge>
                ) : null}
              </span>
              {machine.step ? <span className="mt-1 block text-sm">{machine.step}</span> : null}
            </td>
            <td className="font-mono tabular-nums">
              <People machine={machine} />
            </td>
            <td className="font-mono whitespace-nowrap tabular-nums">
              {machine.load === undefined ? "–" : `${machine.load} %`}
            </td>
            <td className="font-mono whitespace-nowrap tabular-nums">
              {machine.carries === undefined ? "–" : `about ${machine.carries}`}
            </td>
            <td className="min-w-28 text-sm">{machine.runs ?? "–"}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** What was so at its last report is said with its time. */
function People({ machine }: { machine: MachineLine }) {
  const { participants, lastParticipants, lastReportAt, role } = machine;
  if (role !== "media" || (participants ?? lastParticipants) === undefined) return <span>–</span>;
  if (participants !== undefined || lastReportAt === undefined) return <span>{participants}</span>;
  return (
    <span className="text-ink-soft">
      <span>{`${lastParticipants}, `}</span>
      <RecentMoment at={lastReportAt} />
    </span>
  );
}

function Capacity({ capacity }: { capacity: ClusterCapacity }) {
  return (
    <>
      <dl className="mt-3 border-t border-line text-sm">
        {capacityFacts(capacity).map(([name, words]) => (
          <Fact key={name} name={name}>
            {words}
          </Fact>
        ))}
      </dl>
      <p className="mt-3 max-w-prose text-sm text-ink-soft">
        {`${basisWords[capacity.basis]} `}
        <TextLink to="/docs/sizing">How much a server carries</TextLink>
      </p>
    </>
  );
}

function Unknown({ machines }: { machines: readonly MachineLine[] }) {
  const isLost = machines.some(({ role }) => role === "media");
  return (
    <Message kind="warning" className="mt-3">
      {isLost
        ? "No media machine reports that it carries calls."
        : "No media machine reports yet, and no other carries calls."}
    </Message>
  );
}
