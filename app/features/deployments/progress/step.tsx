import type { ReactNode } from "react";
import { Form } from "react-router";
import { dayOf } from "~/ui/dates";
import { CheckIcon } from "~/ui/primitives/icons";
import { TextButton } from "~/ui/primitives/text-link";
import { More } from "../page/more";
import type { ProgressStep } from "../stored-deployment";
import type { StepState } from "./ticks";

/** One of the steps towards a running server. */
export function Step({
  number,
  title,
  state,
  isNext = false,
  mark,
  value,
  summary = "",
  children,
}: {
  number: number;
  title: string;
  state: StepState | { done: true; at?: undefined };
  isNext?: boolean;
  mark?: ReactNode;
  /** What is copied in this step. */
  value?: ReactNode;
  /** What opens the rest. */
  summary?: string;
  children?: ReactNode;
}) {
  return (
    <li
      aria-current={isNext ? "step" : undefined}
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 border-b border-line py-4"
    >
      <span
        aria-hidden="true"
        className={`flex size-8 items-center justify-center rounded-md font-mono text-sm ${
          state.done
            ? "bg-signal-well text-signal"
            : isNext
              ? "border border-signal text-signal"
              : "border border-line text-ink-soft"
        }`}
      >
        {state.done ? <CheckIcon width="18" height="18" /> : number}
      </span>
      <div className="grid gap-2">
        <div className="flex min-h-8 flex-wrap items-center gap-x-3 text-sm">
          <h3 className="text-base font-strong tracking-normal">{title}</h3>
          <StateWords state={state} isNext={isNext} />
          {mark}
        </div>
        {value ? <div>{value}</div> : null}
        {children ? (
          <div className="print:hidden">
            <More summary={summary} open={isNext}>
              <div className="grid gap-4 pb-2">{children}</div>
            </More>
          </div>
        ) : null}
      </div>
    </li>
  );
}

/** Whether a step is done, next, or open again and why. */
export function StateWords({
  state,
  isNext,
}: {
  state: StepState | { done: true; at?: undefined };
  isNext: boolean;
}) {
  if (state.done) {
    return (
      <span className="text-ink-soft">
        {`Done${state.at ? ` ${state.how === "hand" ? "by you " : ""}on ${dayOf(state.at)}` : ""}`}
      </span>
    );
  }
  return (
    <>
      {isNext ? <span className="text-signal">Next</span> : null}
      {state.why ? <span className="text-warning">{state.why}</span> : null}
    </>
  );
}

/** Where a form is posted and leads back to, and the version that it is about: the one that the page shows. */
export type FormPlace = { action: string; page: string; version: number };

const stepNames: Record<ProgressStep, string> = {
  files: "Files downloaded",
  machine: "VM created",
  dns: "DNS set",
  answer: "Server answers",
  doctor: "Doctor passed",
  connect: "App connected",
};

/** Marks a step by hand. It is a form of its own, so it works without script. */
export function Mark({
  step,
  state,
  action,
  page,
  version,
}: FormPlace & { step: ProgressStep; state: StepState }) {
  const words = state.done ? "Mark as not done" : "Mark as done";
  return (
    <Form method="post" action={action} preventScrollReset className="ml-auto print:hidden">
      <input type="hidden" name="intent" value="progress" />
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="step" value={step} />
      <TextButton
        type="submit"
        name="done"
        value={state.done ? "no" : "yes"}
        aria-label={`${words}: ${stepNames[step]}`}
        variant="standalone"
      >
        {words}
      </TextButton>
    </Form>
  );
}
