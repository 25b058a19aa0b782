import type { AppContext } from "~/http/app-context";
import { signedCookie } from "~/http/cookies/signed-cookie.server";
import type { Workspace } from "./own-workspaces.server";

/** A cookie holds about 4 kB, and nobody remembers the order of more. */
const maxRemembered = 20;

/** Which workspaces somebody opened last in this browser, from a cookie with their slugs. */
export async function readRecent(request: Request, { configuration }: AppContext) {
  const cookie = signedCookie(configuration, "recent-workspaces");
  const kept: unknown = await cookie.parse(request.headers.get("cookie"));
  const slugs = typeof kept === "string" ? kept.split(" ") : [];
  const placeOf = ({ slug }: Workspace) => {
    const place = slugs.indexOf(slug);
    return place < 0 ? slugs.length : place;
  };
  return {
    /** The same workspaces, the one that was open last first; those that never were keep their order. */
    first: (all: readonly Workspace[]) =>
      all.toSorted((one, other) => placeOf(one) - placeOf(other)),
    /** The Set-Cookie header that notes this one as the last; undefined where it is that already. */
    remember({ slug }: Workspace): Promise<string> | undefined {
      if (slugs[0] === slug) return;
      const others = slugs.filter((each) => each !== slug);
      return cookie.serialize([slug, ...others].slice(0, maxRemembered).join(" "));
    },
  };
}
