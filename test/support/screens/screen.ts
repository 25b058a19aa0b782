import type { OpenPage } from "../browser/browser.ts";
import { siteUrl } from "../site/own-site.ts";
import type { Visitor } from "../site/visitor.ts";

/** A screen of the product in one state, and how a person gets there. */
export type Screen = {
  name: string;
  /** Whether only a browser with script comes to this state. */
  needsScript?: true;
  open(person: OpenPage): Promise<void>;
};

export const owner = "customer.one@example.com";
export const newcomer = "customer.two@example.com";

/** Gives a browser somebody's session. */
export async function enterAs(
  { page }: OpenPage,
  { cookies }: Visitor,
  url = siteUrl,
): Promise<void> {
  const given = [...cookies].map(([name, value]) => ({ name, value, url }));
  await page.context().addCookies(given);
}

export async function see(person: OpenPage, text: string): Promise<void> {
  await person.page.getByText(text).first().waitFor();
}

export async function press(person: OpenPage, name: string): Promise<void> {
  await person.page.getByRole("button", { name }).first().click();
}

export async function openDialog(person: OpenPage): Promise<void> {
  await person.page.locator("dialog:modal").waitFor();
}

/** A page that somebody signed in as `as` opens, until it shows `shows`. `problem`: what its browser reports. */
export function page(
  name: string,
  path: string,
  { as, problem, shows }: { as?: string; problem?: string; shows?: string } = {},
): Screen {
  return {
    name,
    async open(person) {
      if (as) await person.signIn(as);
      if (problem) person.expectProblem(problem);
      await person.visit(path);
      if (shows) await see(person, shows);
    },
  };
}
