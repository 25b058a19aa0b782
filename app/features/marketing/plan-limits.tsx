import { planLimits } from "~/content/plan-words";

/** The limits of one plan as a list of figures. */
export function PlanLimits({ plan }: { plan: "basic" | "pro" }) {
  return (
    <dl className="mt-4 border-t border-line">
      {planLimits(plan).map(({ name, limit }) => (
        <div key={name} className="flex justify-between gap-4 border-b border-line py-2">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="font-mono tabular-nums">{limit}</dd>
        </div>
      ))}
    </dl>
  );
}
