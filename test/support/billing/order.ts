import { userIdOf } from "../database/database.ts";
import type { Visitor } from "../site/visitor.ts";
import { prices } from "./stripe-account.ts";

/** What the sign-up dialog's button sends, ready to be pressed. The visitor is signed in as this address or id. */
export async function orderButton(visitor: Visitor, person: string, priceId = prices.monthly) {
  const userId = person.includes("@") ? await userIdOf(person) : person;
  return () =>
    visitor.request("/api/create-checkout-session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ priceId, userId }),
    });
}

/** What every checkout asks a buyer for beside the card. */
export const buyersFields = {
  custom_fields: [
    {
      key: "purchaseorder",
      label: { type: "custom", custom: "Purchase order (from your next invoice on)" },
      optional: "true",
      type: "text",
      text: { maximum_length: "140" },
    },
  ],
  tax_id_collection: { enabled: "true" },
};
