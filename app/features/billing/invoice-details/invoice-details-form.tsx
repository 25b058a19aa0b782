import { type RefObject, useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { useConsoleBase } from "~/ui/console/console-path";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { SelectField, TextField } from "~/ui/primitives/fields";
import {
  type InvoiceDetails,
  type InvoiceFormOptions,
  invoiceFieldLimits,
  type RefusedDetails,
} from "./invoice-details";

/** What is on a customer's invoices and where they go, in a form that is closed until somebody wants to change it. */
export function InvoiceDetailsForm({
  customer,
  details,
  options,
  refused,
}: {
  /** Null where the workspace has none yet. */
  customer: string | null;
  details: InvoiceDetails;
  options: InvoiceFormOptions;
  /** What was typed and refused, which is shown instead of what Stripe has. */
  refused: RefusedDetails | undefined;
}) {
  const { fields, taxIds } = details;
  const values = refused?.typed ?? fields;
  const errors = refused?.errors ?? {};
  const form = useRef<HTMLFormElement>(null);
  useFocusOnFirstError(form, refused);
  const { state, formData } = useNavigation();
  const isSending = state !== "idle" && formData?.get("intent") === "details";
  const field = (name: keyof typeof fields) => ({
    name,
    defaultValue: values[name],
    error: errors[name],
    maxLength: invoiceFieldLimits[name],
  });
  return (
    <Card
      as="details"
      variant="flat"
      flush
      className="mt-6"
      open={refused !== undefined || undefined}
    >
      <summary className="min-h-11 cursor-pointer px-6 py-3 sm:px-8">
        <span className="font-strong">Invoices: address, company, purchase order, VAT ID</span>
        <span className="block wrap-anywhere text-ink-soft">{summaryOf(details)}</span>
      </summary>
      <Form
        ref={form}
        method="post"
        action={`${useConsoleBase()}/billing`}
        noValidate
        // Remade when what Stripe has changes: its fields take their first values once.
        key={JSON.stringify(details)}
        className="grid gap-6 px-6 pb-6 sm:grid-cols-2 sm:px-8 sm:pb-8"
      >
        <input type="hidden" name="intent" value="details" />
        {customer ? <input type="hidden" name="customer" value={customer} /> : null}
        <input type="hidden" name="shown" value={JSON.stringify(fields)} />
        <TextField
          label="E-mail for invoices"
          type="email"
          autoComplete="email"
          hint="Stripe sends invoices and receipts to it. Left empty, they go to the address that the workspace's owner signs in with."
          {...field("email")}
        />
        <TextField
          label="Company name"
          autoComplete="organization"
          hint="It is on the invoice as the one who pays."
          {...field("company")}
        />
        <TextField
          label="Purchase order number"
          autoComplete="off"
          hint="It is on every new invoice, until you change it."
          {...field("purchaseOrder")}
        />
        <SelectField
          label="Country"
          blank="No address"
          options={options.countries}
          autoComplete="country"
          name="country"
          defaultValue={values.country}
          error={errors.country}
        />
        <TextField label="Street and number" autoComplete="address-line1" {...field("line1")} />
        <TextField
          label="Second line of the address (optional)"
          autoComplete="address-line2"
          {...field("line2")}
        />
        <TextField label="City" autoComplete="address-level2" {...field("city")} />
        <TextField
          label="State or province (optional)"
          autoComplete="address-level1"
          {...field("state")}
        />
        <TextField
          label="Postal code (optional)"
          autoComplete="postal-code"
          {...field("postalCode")}
        />
        <fieldset className="grid gap-4 border-t border-line pt-6 sm:col-span-2 sm:grid-cols-2">
          <legend className="sr-only">VAT ID or another tax ID</legend>
          {taxIds.map(({ id, label, value, check }) => (
            <div key={id} className="sm:col-span-2">
              <p className="wrap-anywhere">
                <span className="font-mono">{value}</span> ({label}). {check}
              </p>
              <label className="inline-flex min-h-11 items-center gap-3">
                <input
                  type="checkbox"
                  name={`remove-${id}`}
                  value="yes"
                  className="size-5 shrink-0 accent-signal"
                />
                Remove {value} from new invoices
              </label>
            </div>
          ))}
          <SelectField
            label={taxIds.length > 0 ? "Kind of a further tax ID" : "Kind of tax ID"}
            blank="None"
            options={options.taxIdTypes}
            name="taxIdType"
            defaultValue={refused?.typed.taxIdType}
            error={errors.taxIdType}
          />
          <TextField
            label="VAT ID or tax ID"
            name="taxId"
            autoComplete="off"
            maxLength={60}
            hint="With its country, such as DE123456789."
            defaultValue={refused?.typed.taxId}
            error={errors.taxId}
          />
        </fieldset>
        <div className="sm:col-span-2">
          <Button type="submit" disabled={isSending} className="max-sm:w-full">
            {isSending ? "Saving..." : "Save for new invoices"}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** What is on the next invoice, in one line. */
function summaryOf({ fields, taxIds }: InvoiceDetails): string {
  const { email, company, purchaseOrder, line1, city } = fields;
  const parts = [
    company,
    email,
    [line1, city].filter(Boolean).join(", "),
    purchaseOrder && `purchase order ${purchaseOrder}`,
    ...taxIds.map(({ value }) => value),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(" · ") : "Nothing is given yet.";
}

/** Moves the focus to the first field with an error. */
function useFocusOnFirstError(
  form: RefObject<HTMLFormElement | null>,
  refused: RefusedDetails | undefined,
) {
  useEffect(() => {
    if (refused) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, refused]);
}
