import { Link } from "react-router";
import { CheckIcon } from "~/ui/primitives/icons";
import { TextLink } from "~/ui/primitives/text-link";
import type { StepId, StepLine } from "./steps";

/** The wizard's steps: a rail beside the form, a row above it on a phone. */
export function StepNavigation({
  id,
  name,
  steps,
  current,
}: {
  id: string;
  name: string;
  steps: readonly StepLine[];
  current: StepId;
}) {
  const reached = steps.findIndex((step) => step.id === current);
  return (
    <nav aria-label="Steps" className="min-w-0">
      <TextLink
        to={`/dashboard/deployments/${id}`}
        className="block py-2 font-strong wrap-anywhere"
      >
        {name}
      </TextLink>
      <p className="mt-2 text-sm text-ink-soft lg:hidden">
        Step {reached + 1} of {steps.length}
      </p>
      <ol className="mt-2 grid grid-cols-2 gap-1 sm:flex sm:flex-wrap lg:flex-col lg:flex-nowrap lg:border-l lg:border-line">
        {steps.map((step, at) => (
          <li key={step.id}>
            <Link
              to={`?step=${step.id}`}
              aria-current={step.id === current ? "step" : undefined}
              className="flex min-h-11 items-center gap-2.5 rounded-md px-2 text-ink-soft hover:text-ink aria-[current]:bg-signal-well aria-[current]:font-strong aria-[current]:text-signal lg:-ml-px lg:rounded-none lg:border-l-2 lg:border-transparent lg:px-4 lg:aria-[current]:border-signal lg:aria-[current]:bg-transparent"
            >
              <span className="w-4 font-mono text-sm tabular-nums">
                {at < reached ? <CheckIcon width="16" height="16" /> : step.number}
              </span>
              {step.title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
