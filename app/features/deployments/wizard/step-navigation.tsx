import type { ReactNode } from "react";
import { Link } from "react-router";
import { useConsoleBase } from "~/ui/console/console-path";
import { CheckIcon } from "~/ui/primitives/icons";
import { TextLink } from "~/ui/primitives/text-link";
import type { StepId, StepLine } from "./steps";

/** The wizard's steps: a rail beside the form, a row above it on a phone. */
export function StepNavigation({
  id,
  name,
  steps,
  current,
  changed,
  form,
}: {
  id: string;
  name: string;
  steps: readonly StepLine[];
  current: StepId;
  /** The steps that have unsaved changes. */
  changed: readonly string[];
  /** The id of the form whose content the steps carry with them; undefined where nothing can be typed. */
  form: string | undefined;
}) {
  const base = useConsoleBase();
  const reached = steps.findIndex((step) => step.id === current);
  return (
    <nav aria-label="Steps" className="min-w-0">
      {/* Enter in a field presses the first button of its form: this one, which saves, and not one that leads away. */}
      {form ? (
        <button type="submit" form={form} tabIndex={-1} aria-hidden="true" className="sr-only" />
      ) : null}
      <TextLink to={`${base}/deployments/${id}`} className="block py-2 font-strong wrap-anywhere">
        {name}
      </TextLink>
      <p className="mt-2 text-sm text-ink-soft lg:hidden">
        Step {reached + 1} of {steps.length}
      </p>
      <ol className="mt-2 grid grid-cols-2 gap-1 sm:flex sm:flex-wrap lg:flex-col lg:flex-nowrap lg:border-l lg:border-line">
        {steps.map((step, at) => (
          <li key={step.id}>
            <StepLink id={step.id} isCurrent={step.id === current} form={form}>
              <span className="w-4 font-mono text-sm tabular-nums">
                {at < reached ? <CheckIcon width="16" height="16" /> : step.number}
              </span>
              <span>
                <span>{step.title}</span>
                {changed.includes(step.id) ? (
                  <span className="block text-sm text-warning">Unsaved changes</span>
                ) : null}
              </span>
            </StepLink>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const shape =
  "flex min-h-11 w-full items-center gap-2.5 rounded-md px-2 text-left text-ink-soft hover:text-ink aria-[current]:bg-signal-well aria-[current]:font-strong aria-[current]:text-signal lg:-ml-px lg:rounded-none lg:border-l-2 lg:border-transparent lg:px-4 lg:aria-[current]:border-signal lg:aria-[current]:bg-transparent";

/** The way to a step. From a form it is a button, so that what was typed is kept before it leads on, without script too. */
function StepLink({
  id,
  isCurrent,
  form,
  children,
}: {
  id: StepId;
  isCurrent: boolean;
  form: string | undefined;
  children: ReactNode;
}) {
  const common = { "aria-current": isCurrent ? ("step" as const) : undefined, className: shape };
  return form ? (
    <button type="submit" form={form} name="leave" value={id} {...common}>
      {children}
    </button>
  ) : (
    <Link to={`?step=${id}`} {...common}>
      {children}
    </Link>
  );
}
