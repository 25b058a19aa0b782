import type { Role } from "~/features/deployments/bundle/bundle-types";
import type { BadgeVariant } from "~/ui/primitives/badge";
import { causeWords } from "../incidents/cause-words";
import type { IncidentSummary } from "../incidents/incident";
import type { ClusterCapacity } from "../state/capacity";
import { serverNeeds } from "./server-needs";
import type { ServerView } from "./server-view";

/** A machine of a cluster in a word or two. */
export const roleWords: Readonly<Record<Role, string>> = {
  edge: "Edge",
  media: "Media",
  egress: "Egress",
};

const list = new Intl.ListFormat("en-GB");

/** "An edge, 3 media machines and 1 Egress machine"; behind a balancer there is no edge. */
export function machinesWords(machines: readonly { role?: Role | undefined }[]): string {
  const count = (role: Role) => machines.filter((each) => each.role === role).length;
  const counted = (number: number, kind: string) =>
    `${number} ${kind} ${number === 1 ? "machine" : "machines"}`;
  const [edges, egress] = [count("edge"), count("egress")];
  return list.format([
    ...(edges > 0 ? [edges === 1 ? "an edge" : `${edges} edges`] : []),
    counted(count("media"), "media"),
    ...(egress > 0 ? [counted(egress, "Egress")] : []),
  ]);
}

/** How a whole cluster is: the worst of its incident, else what its machines do. */
export function clusterState(
  machines: readonly ServerView[],
  incident: IncidentSummary | undefined,
): { words: string; variant: BadgeVariant } {
  const worst = incident?.causes.find(({ endedAt }) => endedAt === undefined);
  if (worst) {
    const variant = worst.severity === "page" ? "failure" : "warning";
    return { words: causeWords(worst).title, variant };
  }
  const needs = machines.flatMap((view) => serverNeeds(view).map((need) => ({ need, view })));
  const [first] = needs.sort((one, other) => one.need.rank - other.need.rank);
  if (!first) return { words: "Healthy", variant: "success" };
  const { need, view } = first;
  return { words: need.words(view.name, false), variant: need.urgency ? "warning" : "neutral" };
}

const about = (people: number): string => `about ${people.toLocaleString("en-US")}`;

/** What the capacity of a cluster means, each fact with its name. */
export function capacityFacts(capacity: ClusterCapacity): [name: string, words: string][] {
  const { people, peak, carries, left, withoutLargest, hasSpare, largestRoom } = capacity;
  const most =
    peak > people ? `, at most ${peak.toLocaleString("en-US")} in the last 24 hours` : "";
  return [
    ["In calls now", `${people.toLocaleString("en-US")}${most}`],
    ["Room for", `${about(left)} more, of ${about(carries)} in all`],
    [
      "A spare machine",
      withoutLargest === 0
        ? "No: one media machine carries all calls"
        : `${hasSpare ? "Yes" : "No"}: without its largest machine ${about(withoutLargest)} find room`,
    ],
    ["The largest room", `${about(largestRoom)} people: a room lives on one machine`],
    ["Add a machine", adviceWords[capacity.advice]],
  ];
}

const adviceWords: Readonly<Record<ClusterCapacity["advice"], string>> = {
  enough: "Not yet",
  soon: "Soon: the busiest half hour of the last day takes four fifths of what is left without the largest machine",
  now: "Now: when the largest machine fails, the others do not carry the busiest half hour of the last day",
};

/** What the figures are an estimate of. */
export const basisWords: Readonly<Record<ClusterCapacity["basis"], string>> = {
  measured:
    "An estimate by the load that those in calls make now, up to 60 % of the processors. Other calls make another load.",
  planned:
    "An estimate by the processors alone, for meetings of ten with cameras at 600 kbit/s: too few are in calls to measure by.",
  both: "An estimate: of machines with enough people in calls by the load that these make, of the others by their processors, for meetings of ten with cameras at 600 kbit/s.",
};
