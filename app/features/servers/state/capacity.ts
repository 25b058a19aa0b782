import { examplePlan, packetsPerCore, peoplePerMachine, sizeOf } from "~/content/sizing";

// How many people a cluster carries. It is an estimate: nobody knows what calls are yet to come.

/** In % of all processors: so much of a machine is planned to be used. */
const plannedLoad = 60;
/** Below either a load says nothing of how many people a machine carries. */
const leastLoad = 15;
const leastPeople = 10;

/** Of meetings of ten, which the sizing page begins with. */
const peoplePerCore = Math.floor(
  packetsPerCore / (sizeOf(examplePlan).roomPackets / examplePlan.people),
);

/** A media machine: people in calls on it, its load in % of all its processors, and how many these are. */
export type MediaLoad = {
  people: number | undefined;
  load: number | undefined;
  cpus: number | undefined;
};

/** How many people a machine carries; `isMeasured`: by the load of those that it has, and not by its processors alone. */
export type Carries = { people: number; isMeasured: boolean };

export function carriesOf({ people = 0, load = 0, cpus }: MediaLoad): Carries | undefined {
  const within = (count: number) => Math.min(Math.floor(count), peoplePerMachine);
  if (people >= leastPeople && load >= leastLoad) {
    return { people: within((people * plannedLoad) / load), isMeasured: true };
  }
  return cpus ? { people: within(cpus * peoplePerCore), isMeasured: false } : undefined;
}

export type ClusterCapacity = {
  /** In calls now, and in the busiest half hour of the last day. */
  people: number;
  peak: number;
  /** What its media machines that are well carry, and what is left of that. */
  carries: number;
  left: number;
  /** What they carry where the largest of them is gone; a spare machine is one without which the busiest half hour fits. */
  withoutLargest: number;
  hasSpare: boolean;
  /** A room lives on one machine. */
  largestRoom: number;
  advice: "enough" | "soon" | "now";
  basis: "measured" | "planned" | "both";
};

/** From so much of what is left without the largest machine, another one is to be added soon. */
const soonShare = 0.8;

/** Undefined where no machine says how many people it carries. `day`: of each half hour, as charts have it. */
export function clusterCapacity(
  nodes: readonly (MediaLoad & { isWell: boolean; day: readonly (number | null)[] })[],
): ClusterCapacity | undefined {
  const well = nodes.filter(({ isWell }) => isWell);
  const each = well.flatMap((node) => carriesOf(node) ?? []);
  if (each.length === 0) return;
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
  const people = sum(well.map((node) => node.people ?? 0));
  const peak = Math.max(people, peakOf(nodes.map(({ day }) => day)));
  const carries = sum(each.map((one) => one.people));
  const largestRoom = Math.max(...each.map((one) => one.people));
  const withoutLargest = carries - largestRoom;
  const measured = each.filter(({ isMeasured }) => isMeasured).length;
  return {
    ...{ people, peak, carries, left: Math.max(0, carries - people), withoutLargest, largestRoom },
    hasSpare: each.length > 1 && peak <= withoutLargest,
    advice:
      each.length < 2 || peak > withoutLargest
        ? "now"
        : peak > withoutLargest * soonShare
          ? "soon"
          : "enough",
    basis: measured === 0 ? "planned" : measured === each.length ? "measured" : "both",
  };
}

/** The most people of all machines together in a half hour. */
export function peakOf(days: readonly (readonly (number | null)[])[]): number {
  const slots = Math.max(0, ...days.map((day) => day.length));
  const sums = Array.from({ length: slots }, (_, slot) =>
    days.reduce((sum, day) => sum + (day[day.length - slots + slot] ?? 0), 0),
  );
  return Math.max(0, ...sums);
}
