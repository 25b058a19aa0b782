import { type Plan, sizeOf, type TrafficProvider, trafficCost } from "~/content/sizing";

const noSize = "no size of ours";

function formatted(figure: number): string {
  if (figure === 0) return "0";
  if (figure < 0.1) return "under 0.1";
  return figure < 10 ? figure.toFixed(1) : Math.round(figure).toLocaleString("en-US");
}

/** What a plan takes, by the names of the places where the calculator shows it. */
export function planFigures(plan: Plan, provider: TrafficProvider): Record<string, string> {
  const { roomSize = noSize, size = noSize, machines, ...load } = sizeOf(plan);
  const figures = { ...load, cost: trafficCost(provider, load.month) };
  return {
    ...Object.fromEntries(
      Object.entries(figures).map(([name, figure]) => [name, formatted(figure)]),
    ),
    roomSize,
    size: size !== noSize && machines > 1 ? `${machines} × ${size}` : size,
  };
}
