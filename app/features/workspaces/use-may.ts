import { createContext, useContext } from "react";
import type { Right } from "~/platform/database/role-rights";

/** Why the person's role does not allow something in the workspace of the page, for all that it does not. */
export const RefusalsContext = createContext<Partial<Record<Right, string>>>({});

/**
 * Whether to offer a form or a link of the console: whoever may not use it is not shown it, and the page says why.
 * Nothing depends on it: the guard of actions and the database decide.
 */
export function useMay(right: Right): boolean {
  return useContext(RefusalsContext)[right] === undefined;
}
