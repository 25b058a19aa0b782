import { appContext } from "~/http/app-context";
import type { Route } from "./+types/healthz";

/**
 * Tells a monitor that the Worker runs and is configured, and a deploy which version answers, and which of the Worker of
 * the servers: null while that one does not answer. Asks nobody else.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const { VERSION, BUNDLES } = context.get(appContext).bindings;
  const servers = await BUNDLES.version().catch(() => null);
  return Response.json(
    { status: "ok", version: VERSION.id, servers },
    { headers: { "cache-control": "no-store" } },
  );
}
