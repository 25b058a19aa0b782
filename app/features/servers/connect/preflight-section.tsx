import { Form } from "react-router";
import type { RungLine } from "~/features/deployments/checks/rung-line";
import type { StepOutcome } from "~/features/deployments/progress/step-forms.server";
import { RecentMoment } from "~/ui/moment";
import { Button } from "~/ui/primitives/button";
import { RungList, UnseenLine } from "../pages/outside-section";

/** The check of a server from outside before it is connected, or beside what it says of itself. */
export function PreflightSection({
  hasAddress,
  mayCheck,
  preflight,
}: {
  hasAddress: boolean;
  mayCheck: boolean;
  preflight: StepOutcome["preflight"];
}) {
  return (
    <>
      <p role="status" className="max-w-prose">
        {preflight ? (
          <>
            <span>Checked at </span>
            <RecentMoment at={preflight.at} />
            <span>{`: ${rightOf(preflight.lines)}`}</span>
          </>
        ) : (
          <span>
            {hasAddress
              ? "A port that refuses before the first boot is reached: nothing listens there yet. One that does not answer is shut by a firewall, and stays so after the boot."
              : "The address is known once the VM is there: paste it in step 2, then check it here."}
          </span>
        )}
      </p>
      {preflight ? <RungList lines={preflight.lines} /> : null}
      {mayCheck && hasAddress ? (
        <Form method="post" preventScrollReset className="mt-4 print:hidden">
          <Button type="submit" name="intent" value="preflight" variant="secondary">
            Check from outside
          </Button>
        </Form>
      ) : null}
      <UnseenLine />
    </>
  );
}

function rightOf(lines: readonly RungLine[]): string {
  const right = lines.filter(({ badge }) => badge.variant === "success").length;
  return `${right} of ${lines.length} steps are right.`;
}
