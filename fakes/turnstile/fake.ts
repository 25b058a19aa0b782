import { z } from "zod";
import { escapeHtml } from "../html.ts";
import { serveOnLoopback } from "../loopback-server.ts";
import { refuseInProduction } from "../refuse-production.ts";
import { installTurnstile, runFrame } from "./in-the-browser.ts";
import { solved, Tokens } from "./tokens.ts";

export interface TurnstileFake {
  url: string;
  /** Forgets every token, and lets everybody pass again. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const control = z.union([
  z.strictObject({ mode: z.enum(["pass", "interactive", "block"]) }),
  z.strictObject({ advance: z.number().int().min(1) }),
]);

/**
 * Cloudflare Turnstile on one loopback address: the widget's script and frame, and siteverify. It
 * knows Cloudflare's keys for tests and one pair of its own, whose widget lets everybody pass until
 * `POST /_local/control` says otherwise.
 */
export async function startTurnstileFake({ port }: { port: number }): Promise<TurnstileFake> {
  refuseInProduction("Turnstile");
  const tokens = new Tokens();
  let mode = "pass";

  const modeOf = (siteKey: string) =>
    siteKey.startsWith("2x0") ? "block" : siteKey.startsWith("3x0") ? "interactive" : mode;

  async function answer(request: Request): Promise<Response> {
    const { origin, pathname, searchParams } = new URL(request.url);
    switch (`${request.method} ${pathname}`) {
      case "GET /turnstile/v0/api.js":
        return script(`(${installTurnstile})(${JSON.stringify(origin)});`);
      case "GET /turnstile/v0/frame": {
        const referer = request.headers.get("referer");
        const hostname = referer ? new URL(referer).hostname : "";
        const fields = { ...Object.fromEntries(searchParams), hostname, id: "" };
        return frame(modeOf(searchParams.get("sitekey") ?? ""), {
          ...fields,
          id: searchParams.get("id") ?? "",
        });
      }
      case "POST /turnstile/v0/solve": {
        const fields = solved.safeParse(await request.json());
        const token = fields.success ? tokens.issue(fields.data) : undefined;
        return token ? Response.json({ token }) : Response.json({}, { status: 400 });
      }
      case "POST /turnstile/v0/siteverify": {
        const verdict = tokens.verify(await bodyOf(request));
        const wrongSecret = verdict["error-codes"].some((code) => code.endsWith("input-secret"));
        return Response.json(verdict, { status: wrongSecret ? 400 : 200 });
      }
      case "POST /_local/control": {
        const settings = control.parse(await request.json());
        if ("mode" in settings) mode = settings.mode;
        else tokens.advance(settings.advance);
        return Response.json({ done: true });
      }
      default:
        return new Response("Not found", { status: 404 });
    }
  }

  const server = await serveOnLoopback(port, answer);
  return {
    url: server.url,
    async reset() {
      tokens.clear();
      mode = "pass";
    },
    close: () => server.close(),
  };
}

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return request.json().catch(() => undefined);
  return Object.fromEntries(await request.formData().catch(() => new FormData()));
}

function script(text: string): Response {
  return new Response(text, { headers: { "content-type": "text/javascript; charset=utf-8" } });
}

function frame(mode: string, solution: { id: string; theme?: string }): Response {
  const json = JSON.stringify(solution).replaceAll("<", "\\u003c");
  const content =
    mode === "interactive"
      ? '<label><input type="checkbox"> Verify you are human</label>'
      : `<p>${escapeHtml(mode === "block" ? "Verification failed" : "Verifying...")}</p>`;
  const colours = solution.theme === "dark" ? "#232323; color: #fff" : "#fafafa; color: #111";
  return new Response(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Turnstile, the local fake</title>
<style>
body { margin: 0; padding: 8px; box-sizing: border-box; height: 100vh; overflow: hidden;
  background: ${colours}; border: 1px solid #888; font: 14px/1.4 system-ui, sans-serif; }
p { margin: 0; } label { display: inline-block; min-height: 24px; }
</style>
</head>
<body>
<main><h1 style="position: absolute; clip-path: inset(50%)">Challenge</h1>${content}</main>
<script>(${runFrame})(${JSON.stringify(mode)}, ${json});</script>
</body>
</html>
`,
    { headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } },
  );
}
