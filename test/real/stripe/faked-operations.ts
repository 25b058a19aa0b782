import { endpoints } from "../../../fakes/stripe/api/answer.ts";
import { withoutNames } from "./description.ts";

/** Every operation of Stripe's that the fake has, with `{}` for each id. */
export function fakedOperations(): { method: string; path: string }[] {
  return endpoints.map(({ method, path }) => ({ method, path: withoutNames(path) }));
}
