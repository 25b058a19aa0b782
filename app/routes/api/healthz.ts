import { appContext } from "~/http/app-context";
import type { Route } from "./+types/healthz";

/**
 * Shows a monitor that the Worker runs and is configured, and a deploy which version answers, and which version of the
 * servers Worker: null while that one cannot make a bundle, or takes two seconds. Asks nobody else.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const { VERSION, BUNDLES } = context.get(appContext).bindings;
  const { promise: tooLate, resolve } = Promise.withResolvers<null>();
  const limit = setTimeout(() => resolve(null), 2_000);
  const servers = await Promise.race([BUNDLES.version().catch(() => null), tooLate]);
  clearTimeout(limit);
  return Response.json(
    { status: "ok", version: VERSION.id, servers },
    { headers: { "cache-control": "no-store" } },
  );
}
