import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { portBase, siteUrl } from "./own-site.ts";

/** The variables of the Worker that all test files share. */
export const siteVariables = exampleVariables({ siteUrl, portBase });

/** One of them that the example is known to have. */
export function variable(name: string): string {
  const value = siteVariables[name];
  if (!value) throw new Error(`.dev.vars.example has no ${name}`);
  return value;
}
