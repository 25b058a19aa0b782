import { Form, useNavigation } from "react-router";
import { dayOf } from "~/ui/dates";
import { Button } from "~/ui/primitives/button";
import { CheckIcon } from "~/ui/primitives/icons";
import { pressable } from "~/ui/primitives/text-link";
import type { Progress, ProgressStep } from "../stored-deployment";

type Words = { name: string; detail: string; link?: [string, string] };

const words: Record<ProgressStep, Words> = {
  files: {
    name: "Files downloaded",
    detail: "The zip holds every file below, and a README for exactly this server.",
    link: ["#files", "See the files"],
  },
  dns: {
    name: "DNS set",
    detail: "Each name points at the server's address, or no certificate is issued.",
    link: ["#dns", "See the records"],
  },
  machine: {
    name: "VM created",
    detail: "The commands make firewall, address and machine; cloud-init does the rest.",
    link: ["#commands", "See the commands"],
  },
  doctor: {
    name: "Doctor passed",
    detail: "On the server, sudo livekit-deploy doctor finds nothing wrong.",
  },
};

const steps = ["files", "dns", "machine", "doctor"] as const satisfies ProgressStep[];

/** What is done and what comes next. Each step is a form of its own, so it works without script. */
export function Checklist({ progress }: { progress: Progress }) {
  const next = steps.find((step) => !progress[step]);
  const navigation = useNavigation();
  const pending = navigation.formData?.get("step");
  return (
    <ol className="border-t border-line">
      {steps.map((step, at) => {
        const doneAt = progress[step];
        const { name, detail, link } = words[step];
        return (
          <li
            key={step}
            aria-current={step === next ? "step" : undefined}
            className="grid grid-cols-[auto_1fr] items-start gap-x-4 gap-y-3 border-b border-line py-4 sm:grid-cols-[auto_1fr_auto] sm:items-center"
          >
            <span
              aria-hidden="true"
              className={`flex size-8 items-center justify-center rounded-md font-mono text-sm ${
                doneAt
                  ? "bg-signal-well text-signal"
                  : step === next
                    ? "border border-signal text-signal"
                    : "border border-line text-ink-soft"
              }`}
            >
              {doneAt ? <CheckIcon width="18" height="18" /> : at + 1}
            </span>
            <div className="min-w-0">
              <p className="font-strong">
                {name}
                {step === next ? <span className="ml-3 text-sm text-signal">Next</span> : null}
              </p>
              <p className="text-sm text-ink-soft">
                {doneAt ? (
                  <>
                    Done on <time dateTime={doneAt}>{dayOf(doneAt)}</time>.
                  </>
                ) : (
                  <>
                    {detail}{" "}
                    {link ? (
                      <a href={link[0]} className={`whitespace-nowrap ${pressable}`}>
                        {link[1]}
                      </a>
                    ) : null}
                  </>
                )}
              </p>
            </div>
            <Form method="post" preventScrollReset className="col-start-2 sm:col-start-3">
              <input type="hidden" name="intent" value="progress" />
              <input type="hidden" name="step" value={step} />
              <Button
                type="submit"
                name="done"
                value={doneAt ? "no" : "yes"}
                variant={doneAt ? "quiet" : "secondary"}
                disabled={pending === step}
                aria-label={`${doneAt ? "Not done yet" : "Mark as done"}: ${name}`}
                className="text-sm"
              >
                {doneAt ? "Not done yet" : "Mark as done"}
              </Button>
            </Form>
          </li>
        );
      })}
    </ol>
  );
}
