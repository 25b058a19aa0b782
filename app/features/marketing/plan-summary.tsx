import { deploymentMeaning, yearlyWords } from "~/content/plan-words";
import { plans } from "~/content/plans";
import { TextLink } from "~/ui/primitives/text-link";
import { PlanLimits } from "./plan-limits";

/** What each plan costs and how far it goes, from what is enforced. */
export function PlanSummary() {
  return (
    <section aria-labelledby="plans" className="border-t border-line">
      <div className="page py-14 sm:py-20">
        <h2 id="plans" className="text-2xl">
          What it costs
        </h2>
        <p className="mt-4 max-w-prose text-ink-soft">
          {"Beside your cloud provider's own bill. "}
          <TextLink to="/pricing">What each plan includes</TextLink>
        </p>
        <ul className="mt-10 grid gap-x-10 gap-y-12 md:grid-cols-3">
          {plans.map((plan) => (
            <li key={plan.key} className="border-t border-line-strong pt-5">
              <h3 className="text-lg">{plan.name}</h3>
              <p className="mt-1 text-ink-soft">{plan.description}</p>
              <p className="mt-4 flex items-baseline gap-2">
                <span
                  className={
                    "interval" in plan ? "font-mono text-xl tracking-tight" : "text-xl font-strong"
                  }
                >
                  {plan.price}
                </span>
                {"interval" in plan ? (
                  <span className="text-ink-soft">{`per ${plan.interval}`}</span>
                ) : null}
              </p>
              {plan.key === "enterprise" ? (
                <p className="mt-4 border-t border-line pt-2 text-ink-soft">
                  What it includes is agreed in writing.
                </p>
              ) : (
                <PlanLimits plan={plan.key} />
              )}
            </li>
          ))}
        </ul>
        <p className="mt-10 max-w-prose text-sm text-ink-soft">{`${deploymentMeaning} ${yearlyWords}`}</p>
      </div>
    </section>
  );
}
