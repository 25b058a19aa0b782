import { serveApi } from "~/features/api/site/serve.server";
import { appContext } from "~/http/app-context";
import type { Route } from "./+types/workspace-api";

export function loader({ request, context }: Route.LoaderArgs) {
  return serveApi(request, context.get(appContext));
}

export function action({ request, context }: Route.ActionArgs) {
  return serveApi(request, context.get(appContext));
}
