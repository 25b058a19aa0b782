import { useId } from "react";
import { offers } from "~/content/plans";
import { dayOf, fromSeconds } from "~/ui/dates";
import { Card } from "~/ui/primitives/card";
import { SelectField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { Table } from "~/ui/primitives/table";
import { RenewalTerms } from "../checkout/renewal-terms";
import { exactAmount } from "../prices/words";
import type { DowngradeLosses, WatchLoss } from "./downgrade-losses";
import { refusalWords } from "./outcome";
import { PlanForm } from "./plan-button";
import type { PlanView, PreviewView } from "./plan-screen";
import { listed } from "./words";

type Of<Kind> = Extract<PreviewView, { kind: Kind }>;

/** What a change costs and means, and the button that confirms it. */
export function ChangePreview({
  plan,
  preview,
  losses,
  watch,
}: {
  plan: PlanView;
  preview: PreviewView;
  losses: DowngradeLosses | undefined;
  watch: WatchLoss;
}) {
  const heading = useId();
  if (preview.kind === "none") {
    return (
      <Message kind="failure" className="mt-6">
        {preview.why === "declined" ? null : refusalWords[preview.why]}
      </Message>
    );
  }
  return (
    <Card as="section" variant="marked" aria-labelledby={heading} className="mt-6">
      <h2 id={heading} className="text-xl">
        Change to {targetName(plan, preview)}
      </h2>
      {preview.kind === "up" ? (
        <Upward plan={plan} preview={preview} />
      ) : (
        <Downward plan={plan} preview={preview} losses={losses} watch={watch} />
      )}
    </Card>
  );
}

/** The name of the new plan, with its price if only the interval changes. */
function targetName(plan: PlanView, { name, price }: Of<"up" | "down">): string {
  return name === plan.name ? `${name} for ${price}` : name;
}

function Upward({ plan, preview }: { plan: PlanView; preview: Of<"up"> }) {
  const { due, currency, lines, credited, note } = preview;
  const name = targetName(plan, preview);
  const amount = exactAmount(due, currency);
  return (
    <>
      <Table caption="What you pay today" numeric className="mt-5 max-w-prose">
        <tbody>
          {lines.map((line) => (
            <tr key={line.label}>
              <th scope="row">{line.label}</th>
              <td className="font-mono">{exactAmount(line.amount, currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-0">
            <th scope="row" className="font-strong">
              Due today
            </th>
            <td className="font-mono font-strong">{amount}</td>
          </tr>
        </tfoot>
      </Table>
      <p className="mt-3 max-w-prose text-ink-soft">
        {`${
          credited > 0
            ? `${exactAmount(credited, currency)} goes to your credit balance, which pays your next invoices. `
            : ""
        }The change takes effect at once. Then ${preview.price}, next on ${dayOf(fromSeconds(preview.renewsAt))}. ${note}`}
      </p>
      <PlanForm
        plan={plan}
        intent="change"
        fields={{
          to: preview.offer,
          amount: String(due),
          proration: String(preview.prorationDate ?? 0),
        }}
        button={due > 0 ? `Pay ${amount} and change to ${name} now` : `Change to ${name} now`}
        busy="Changing your plan..."
        className="mt-6"
      />
      <RenewalTerms interval={offers[preview.offer].interval} className="mt-3" />
    </>
  );
}

function Downward({
  plan,
  preview,
  losses,
  watch,
}: {
  plan: PlanView;
  preview: Of<"down">;
  losses: DowngradeLosses | undefined;
  watch: WatchLoss;
}) {
  const day = dayOf(fromSeconds(preview.at));
  return (
    <>
      {preview.isSmaller ? <Losses plan={plan} losses={losses} watch={watch} day={day} /> : null}
      <p className="mt-4 max-w-prose">
        Nothing is due today. You have {plan.name} until {day}, as you have paid for it. Then{" "}
        {preview.price}. {preview.note} You can take this back until then.
      </p>
      <PlanForm
        plan={plan}
        intent="change"
        fields={{ to: preview.offer, amount: String(preview.amount), proration: "0" }}
        button={`Change to ${targetName(plan, preview)} on ${day}`}
        busy="Planning the change..."
        className="mt-6"
      >
        {watch.length > 0 ? (
          <div className="mb-6 max-w-dialog">
            <SelectField
              label="Which server stays watched?"
              name="stays"
              options={watch.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </div>
        ) : null}
      </PlanForm>
    </>
  );
}

/** What a person loses with the smaller plan. It stands above the button. */
function Losses({
  plan,
  losses,
  watch,
  day,
}: {
  plan: PlanView;
  losses: DowngradeLosses | undefined;
  watch: WatchLoss;
  day: string;
}) {
  return (
    <div className="mt-4 rounded-md border border-warning bg-warning-well px-4 py-3">
      <p className="font-strong text-warning">What you lose on {day}</p>
      <ul className="mt-2 grid list-disc gap-1.5 pl-5">
        {losses === undefined ? (
          <li>
            Your deployments cannot be read right now. All but the one that you made first can then
            be read, downloaded and deleted, but not changed.
          </li>
        ) : null}
        {losses && losses.readOnly.length > 0 ? (
          <li className="wrap-anywhere">
            Can then be read, downloaded and deleted, but not changed: {listed(losses.readOnly)}.
          </li>
        ) : null}
        {losses?.kept.map(({ name, choices }) => (
          <li key={name} className="wrap-anywhere">
            {name} keeps what it has of {plan.name} in its files, but it cannot be chosen anew:{" "}
            {listed(choices)}.
          </li>
        ))}
        {watch.length > 0 ? (
          <li>
            {`Of your ${watch.length} servers only one stays watched. The other ${watch.length - 1} run as before, but nobody is told any more when one of them is down.`}
          </li>
        ) : null}
        <li>More than one deployment, Ingress, egress and automatic backups cannot be set up.</li>
      </ul>
    </div>
  );
}
