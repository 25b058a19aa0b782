import { appContext } from "~/http/app-context";
import type { Route } from "./+types/healthz";

/**
 * Tells a monitor that the Worker runs and is configured, and a deploy which version answers; asks
 * nobody else.
 */
export function loader({ context }: Route.LoaderArgs) {
  const { id } = context.get(appContext).bindings.VERSION;
  return Response.json({ status: "ok", version: id }, { headers: { "cache-control": "no-store" } });
}
