import { expect } from "vitest";
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

/** What a person sees in the fields of a page's last form: values by name, and errors by name. */
export function shownFields(page: string) {
  const words = (html = "") =>
    html
      .replaceAll(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  const attribute = (tag: string, name: string) =>
    words(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]);
  const typed: Record<string, string> = {};
  const errors: Record<string, string> = {};
  for (const [tag, text] of page.matchAll(/<(?:input|textarea)[^>]*>(?:([^<]*)<\/textarea>)?/g)) {
    const name = attribute(tag, "name");
    if (!name) continue;
    if (/type="(radio|checkbox)"/.test(tag)) {
      if (/\schecked/.test(tag)) typed[name] = attribute(tag, "value") || "on";
    } else
      typed[name] = text === undefined ? attribute(tag, "value") : words(text).replace(/^\n/, "");
    const id = attribute(tag, "id");
    const error = id && new RegExp(`id="${id}-error"[^>]*>([^<]*)`).exec(page)?.[1];
    if (error) errors[name] = words(error);
  }
  return { typed, errors };
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
  return visitor.post(path, { ...shownFields(page).typed, ...changes });
}
