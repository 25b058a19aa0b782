import type { AppContext } from "~/http/app-context";
import { signedCookie } from "~/http/cookies.server";
import { type ChosenLanguages, chosenLanguages } from "./languages";

/**
 * The languages that `?for=` names, or those that the person read last. A cookie remembers a choice, since it has to
 * be remembered without script too; `remember` is its header, where something was chosen.
 */
export async function readLanguages(
  request: Request,
  { configuration }: AppContext,
): Promise<{ chosen: ChosenLanguages; remember?: string }> {
  const cookie = signedCookie(configuration, "connect-for");
  const requested = new URL(request.url).searchParams.getAll("for");
  const remembered: unknown = await cookie.parse(request.headers.get("cookie"));
  const last = typeof remembered === "string" ? remembered.split(" ") : [];
  const chosen = chosenLanguages([...requested, ...last]);
  if (requested.length === 0) return { chosen };
  return { chosen, remember: await cookie.serialize(`${chosen.server} ${chosen.client}`) };
}
