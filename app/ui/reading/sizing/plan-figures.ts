import { type Plan, sizeOf, type TrafficProvider, trafficCost } from "./sizing";

function shown(figure: number | string): string {
  if (typeof figure === "string" || figure === 0) return String(figure);
  if (figure < 0.1) return "under 0.1";
  return figure < 10 ? figure.toFixed(1) : Math.round(figure).toLocaleString("en-US");
}

/** What a plan takes, by the names of the places where the calculator shows it. */
export function planFigures(plan: Plan, provider: TrafficProvider): Record<string, string> {
  const load = sizeOf(plan);
  const figures = { ...load, cost: trafficCost(provider, load.month) };
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, shown(figure)]));
}
