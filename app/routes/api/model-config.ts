import { callerOf, notServed, unknownToken } from "~/features/agents/api/caller.server";
import { problemOfMethod } from "~/features/agents/api/problem";
import { configurationInForce } from "~/features/agents/configuration/saved-configuration.server";
import { appContext } from "~/http/app-context";
import { entityTag, namesTag } from "~/http/hashes";
import type { Route } from "./+types/model-config";

/** The configuration that the token's owner has in force; 304 for an agent that has it already. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const caller = await callerOf(request, app, "configuration");
  if (!caller.ok) return caller.refusal;
  const reading = await configurationInForce(caller);
  if (reading.state === "unknown") return unknownToken(caller);
  if (reading.state === "unavailable") return notServed(reading.error);
  const body = JSON.stringify(reading.configuration);
  const etag = await entityTag(body);
  const headers = { etag, "cache-control": "private, no-cache", vary: "authorization" };
  return namesTag(request.headers.get("if-none-match"), etag)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers: { ...headers, "content-type": "application/json" } });
}

export function action() {
  return problemOfMethod("GET");
}
