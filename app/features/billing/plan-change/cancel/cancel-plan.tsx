import { dayOf, fromSeconds } from "~/ui/dates";
import { Card } from "~/ui/primitives/card";
import { SelectField } from "~/ui/primitives/fields";
import { PlanForm } from "../plan-button";
import type { PlanView } from "../plan-screen";
import { notRenewedWords } from "../words";
import { cancelReasons } from "./cancel-reasons";

/** The section that cancels a plan at the end of the paid period: what happens, an optional reason, the button. */
export function CancelPlan({ plan }: { plan: PlanView }) {
  const { name, price, renewsAt, planned, blocked, pause } = plan;
  if (blocked === "by-hand") return null;
  const day = dayOf(fromSeconds(renewsAt));
  return (
    <Card as="details" variant="flat" flush className="mt-6">
      <summary className="min-h-11 cursor-pointer px-6 py-3 font-strong sm:px-8">
        Cancel {name}
      </summary>
      <div className="px-6 pb-6 sm:px-8 sm:pb-8">
        <p className="max-w-prose">
          {`${name} then ends on ${day}. ${notRenewedWords(plan)} ${pause?.runs ? "Until then it stays paused." : "Until then everything works."} After that your servers go on as they are and your deployments can be read and downloaded, but nothing can be changed or made here. Thirty days later no server is watched any more, and nobody is told when one is down. You can take this back until ${day}.${
            planned
              ? ` The change to ${planned.name} that is planned is dropped, also if you keep ${name} later: it then renews for ${price}.`
              : ""
          }`}
        </p>
        <PlanForm
          plan={plan}
          intent="cancel"
          variant="danger"
          button={`Cancel ${name} on ${day}`}
          busy="Cancelling..."
          className="mt-5 grid max-w-dialog gap-5 justify-items-start"
        >
          <div className="w-full">
            <SelectField
              label="Why do you cancel? (optional)"
              name="reason"
              blank="I would rather not say"
              options={cancelReasons.map(([value, label]) => ({ value, label }))}
            />
          </div>
        </PlanForm>
      </div>
    </Card>
  );
}
