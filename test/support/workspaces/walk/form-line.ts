import type { Right, Role } from "../../../../app/platform/database/role-rights.ts";
import type { SiteWorld } from "./site-world.ts";

export type Fields = Readonly<Record<string, string>>;

/** One good form of an action, that a member with the right posts where the address names the team. */
export type FormLine = {
  /** Which of the action's forms it is, where it has several. */
  what?: string;
  needs: Right;
  /** Also of the query of the address. */
  query?: string;
  /** What is posted; asked before each post that should be done, so that it can be prepared. */
  fields: Fields | ((world: SiteWorld) => Fields | Promise<Fields>);
  /** Where it leads or the status and the words, in one line, when it is done. */
  done: RegExp;
  /** The tables that change then, and no others but the audit log. */
  changes?: readonly string[] | ((role: Role) => readonly string[]);
  /** In place of 403 and the sentence about the role. */
  refused?: RegExp;
  /** Nothing in it names something of the team: at /dashboard others do the same with what is their own. */
  isAnybodys?: true;
};
