import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { readConfiguration } from "~/configuration/configuration.server";
import { requestContext } from "~/request/request-context";
import { misconfigured } from "./misconfigured";
import { refuseForeignOrigin } from "./same-origin";
import { secure } from "./security-headers";

const render = createRequestHandler(build, import.meta.env.MODE);

export default {
  async fetch(request, env, ctx) {
    const reading = readConfiguration(env);
    if (!reading.ok) return misconfigured(reading.problems);
    const { configuration } = reading;
    const requestId = request.headers.get("cf-ray") ?? crypto.randomUUID();
    const nonce = crypto.randomUUID();

    const context = new RouterContextProvider();
    context.set(requestContext, {
      configuration,
      bindings: env,
      requestId,
      nonce,
      waitUntil: (work) => ctx.waitUntil(work),
    });
    const response =
      refuseForeignOrigin(request, configuration) ?? (await render(asGet(request), context));
    const safe = await secure(response, { configuration, requestId, nonce });
    return request.method === "HEAD" ? new Response(null, safe) : safe;
  },
} satisfies ExportedHandler<Env>;

/** HEAD is answered with the headers of GET, so it is rendered as one. */
function asGet(request: Request): Request {
  return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
}
