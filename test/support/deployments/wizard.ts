import { expect } from "vitest";
import { pageFields } from "../../../scripts/lib/page-forms.ts";
import { buy } from "../billing/hosted-pages.ts";
import { signedIn, type Visitor } from "../site/visitor.ts";

/** Somebody who is signed in and, if a plan is named, has bought it. */
export async function customer(plan?: "basic" | "pro", email?: string): Promise<Visitor> {
  const visitor = await signedIn(email);
  if (plan) await buy(visitor, plan);
  return visitor;
}

const beginning = { name: "Production", domain: "rtc.mycompany.com", email: "ops@mycompany.com" };

/** Makes a deployment as the form does; answers its id. */
export async function newDeployment(
  visitor: Visitor,
  fields: Record<string, string> = {},
): Promise<string> {
  const response = await visitor.post("/dashboard/deployments/new", { ...beginning, ...fields });
  expect(response.status, await response.clone().text()).toBe(303);
  const id = /deployments\/([0-9a-f-]{36})\/edit/.exec(response.headers.get("location") ?? "")?.[1];
  if (!id) throw new Error("No deployment was made");
  return id;
}

/** Posts a step with everything that its page shows, and these changes. */
export async function saveStep(
  visitor: Visitor,
  id: string,
  step: string,
  changes: Record<string, string>,
): Promise<Response> {
  const path = `/dashboard/deployments/${id}/edit?step=${step}`;
  const page = await (await visitor.request(path)).text();
  return visitor.post(path, { ...pageFields(page).values, ...changes });
}
