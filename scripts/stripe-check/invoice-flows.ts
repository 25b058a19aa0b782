import type { Flow } from "./flow.ts";

/** What companies ask for: an invoice that is paid by bank transfer, with what they need on it. */
export const invoiceFlows: readonly Flow[] = [
  {
    name: "an order by bank transfer, finalized, ended and void",
    async run({ stripe, prices, ...sandbox }, compare) {
      const { invoices, subscriptions } = stripe;
      const customer = await sandbox.customer();
      const order = await subscriptions.create({
        ...{ customer, items: [{ price: prices.pro }], metadata: { order: "pro" } },
        ...{ collection_method: "send_invoice", days_until_due: 14 },
      });
      compare("Its status", order.status, "active");
      const [draft] = (await invoices.list({ subscription: order.id, limit: 100 })).data;
      compare("Its invoice", draft?.status, "draft");
      compare("Why it was made", draft?.billing_reason, "subscription_create");
      compare("What hinders it", draft?.last_finalization_error, null);
      const open = await invoices.finalizeInvoice(draft?.id ?? "");
      compare("Its invoice then", [open.status, open.amount_remaining], ["open", 10_000]);
      const comment = "It was not paid";
      const ended = await subscriptions.cancel(order.id, { cancellation_details: { comment } });
      compare(
        "Its end",
        [ended.status, ended.cancellation_details?.comment],
        ["canceled", comment],
      );
      compare("Its invoice at last", (await invoices.voidInvoice(open.id)).status, "void");
    },
  },
  {
    name: "a purchase order and a tax ID on an invoice, and the tax ID deleted",
    async run({ stripe, prices, ...sandbox }, compare) {
      const { customers, invoices, subscriptions } = stripe;
      const customer = await sandbox.customer();
      const custom_fields = [{ name: "Purchase order", value: "PO-4711" }];
      await customers.update(customer, { invoice_settings: { custom_fields } });
      const { id } = await customers.createTaxId(customer, {
        type: "eu_vat",
        value: "DE123456789",
      });
      const order = await subscriptions.create({
        ...{ customer, items: [{ price: prices.pro }] },
        ...{ collection_method: "send_invoice", days_until_due: 14 },
      });
      const invoice = await invoices.retrieve(String(order.latest_invoice));
      compare("What is on its invoice", invoice.custom_fields, custom_fields);
      const taxIds = async () => {
        const found = await customers.retrieve(customer, { expand: ["tax_ids"] });
        return found.deleted ? [] : (found.tax_ids?.data ?? []).map(({ value }) => value);
      };
      compare("The customer's tax IDs", await taxIds(), ["DE123456789"]);
      await customers.deleteTaxId(customer, id);
      compare("The customer's tax IDs then", await taxIds(), []);
    },
  },
];
