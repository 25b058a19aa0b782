import { textFile } from "~/http/answers";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import type { Route } from "./+types/security";

export const handle = { isPublic: true } satisfies RouteHandle;

/** RFC 9116 wants a date under a year ahead; a cached file may be eight days old. */
const validForMs = 180 * 24 * 60 * 60 * 1_000;

/** security.txt: where to report a vulnerability (RFC 9116). */
export function loader({ context }: Route.LoaderArgs) {
  const { SITE_URL, SUPPORT_EMAIL } = context.get(appContext).configuration;
  return textFile([
    `Contact: mailto:${SUPPORT_EMAIL}`,
    `Expires: ${new Date(Date.now() + validForMs).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${SITE_URL}/.well-known/security.txt`,
    `Policy: ${SITE_URL}/support#security`,
  ]);
}
