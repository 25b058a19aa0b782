import { pausedWords } from "~/content/plans";
import { dayOf, fromSeconds } from "~/ui/dates";
import { Card } from "~/ui/primitives/card";
import { SelectField } from "~/ui/primitives/fields";
import { PlanForm } from "../plan-button";
import type { PlanView } from "../plan-screen";

/** The section that pauses a plan instead of cancelling it: what happens, for how long, the button. */
export function PausePlan({ plan }: { plan: PlanView }) {
  const { name, price, renewsAt, pauseEnds } = plan;
  if (pauseEnds.length === 0) return null;
  const day = dayOf(fromSeconds(renewsAt));
  return (
    <Card as="details" variant="flat" flush className="mt-6">
      <summary className="min-h-11 cursor-pointer px-6 py-3 font-strong sm:px-8">
        Pause {name} instead of cancelling it
      </summary>
      <div className="px-6 pb-6 sm:px-8 sm:pb-8">
        <p className="max-w-prose">
          You have paid until {day}, and until then everything works. Then nothing is charged, and{" "}
          {pausedWords} It runs again by itself, and a day later you pay {price} as before. You can
          let it run earlier.
        </p>
        <PlanForm
          plan={plan}
          intent="pause"
          variant="secondary"
          button={`Pause ${name} from ${day}`}
          busy="Pausing..."
          className="mt-5 grid max-w-dialog gap-5 justify-items-start"
        >
          <div className="w-full">
            <SelectField
              label="For how long?"
              name="until"
              options={pauseEnds.map((end, index) => ({
                value: String(end),
                label: `${index + 1} ${index === 0 ? "month" : "months"}, until ${dayOf(fromSeconds(end))}`,
              }))}
            />
          </div>
        </PlanForm>
      </div>
    </Card>
  );
}
