import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { serveOnLoopback } from "../../../../fakes/loopback-server.ts";

/** Serves supabase/templates, as the platform does: the auth server loads its templates over HTTP. */
export function serveTemplates(port: number) {
  return serveOnLoopback(port, (request) => {
    const file = basename(new URL(request.url).pathname);
    return new Response(readFileSync(`supabase/templates/${file}`), {
      headers: { "content-type": "text/html" },
    });
  });
}
