import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/primitives/button";
import type { PlanIntent } from "./plan-form.server";
import type { PlanView } from "./plan-screen";

/** A form with one button about one plan. The button is disabled while a form is being sent. */
export function PlanForm({
  plan,
  intent,
  button,
  busy,
  variant = "primary",
  fields = {},
  children,
  className = "",
}: {
  plan: PlanView;
  intent: PlanIntent;
  button: string;
  /** The button's text while this form is being sent. */
  busy: string;
  variant?: "primary" | "secondary" | "danger";
  fields?: Record<string, string>;
  children?: ReactNode;
  className?: string;
}) {
  const { state, formData } = useNavigation();
  const isSending = state !== "idle" && formData !== undefined;
  const isThis = isSending && formData.get("intent") === intent;
  const hidden = { intent, subscription: plan.subscription, state: plan.state, ...fields };
  return (
    <Form method="post" className={className}>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <Button type="submit" variant={variant} disabled={isSending} className="max-sm:w-full">
        {isThis ? busy : button}
      </Button>
    </Form>
  );
}

/** A button that opens Stripe's page for the plan's card, which leads back to this page afterwards. */
export function ChangeCard({ plan }: { plan: PlanView }) {
  return (
    <PlanForm
      plan={plan}
      intent="card"
      variant="secondary"
      button={plan.card ? "Change card" : "Add a card"}
      busy="Opening Stripe..."
      className="max-sm:w-full"
    />
  );
}
