import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { escapeHtml, fakePage } from "../html.ts";
import { serveOnLoopback } from "../loopback-server.ts";
import { refuseInProduction } from "../refuse-production.ts";
import { answerPagerDuty, type PagerEvent, pagerAct, sendPagerWebhook } from "./pagerduty.ts";
import { answerPush, type Pushed } from "./push.ts";
import { answerService, type ServiceMode, type ServiceRequest, serviceModes } from "./services.ts";

export interface AlertsFake {
  url: string;
  /** Forgets the messages that it received, and answers without a fault again. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** A webhook that is slow answers after so long. */
const slowMs = 2_000;

const control = z.strictObject({
  pagerduty: z.enum(["well", "limited", "down", "silent"]).optional(),
  webhooks: z.enum(["well", "failing", "gone", "redirect", "endless", "slow", "silent"]).optional(),
  services: z.enum(serviceModes).optional(),
});

/** What came to the address of a webhook, by the last part of its path, and how webhooks behaved then. */
type Received = { name: string; headers: Record<string, string>; body: string; mode: string };

/**
 * Where alerts arrive on this machine: PagerDuty's Events API v2, any webhook at `/webhooks/NAME`, and the services of
 * services.ts at `/SERVICE/…`. `GET /` shows what came, `/_local/pagerduty`, `/_local/webhooks` and `/_local/services`
 * list it. `POST /_local/control` makes each misbehave.
 */
export async function startAlertsFake({ port }: { port: number }): Promise<AlertsFake> {
  refuseInProduction("alerts");
  const events: PagerEvent[] = [];
  const received: Received[] = [];
  let pagerduty = "well";
  let webhooks = "well";
  const atServices: ServiceRequest[] = [];
  const pushed: Pushed[] = [];
  let services: ServiceMode = "well";

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const [, name] = /^\/webhooks\/([\w-]+)$/.exec(pathname) ?? [];
    if (request.method === "POST" && name) return answerWebhook(name, request);
    const ofService =
      (await answerPush(request, services, pushed)) ??
      (await answerService(request, services, atServices));
    if (ofService) return ofService;
    switch (`${request.method} ${pathname}`) {
      case "POST /v2/enqueue":
        return answerPager(request);
      case "POST /_local/control": {
        const settings = control.parse(await request.json());
        pagerduty = settings.pagerduty ?? pagerduty;
        webhooks = settings.webhooks ?? webhooks;
        services = settings.services ?? services;
        return Response.json({ done: true });
      }
      case "POST /_local/pagerduty/webhook": {
        const status = await sendPagerWebhook(pagerAct.parse(await request.json()));
        return Response.json({ status });
      }
      case "GET /_local/pagerduty":
        return Response.json(events);
      case "GET /_local/webhooks":
        return Response.json(received);
      case "GET /_local/services":
        return Response.json(atServices);
      case "GET /_local/push":
        return Response.json(pushed);
      case "GET /":
        return page(server.url, { events, received, atServices });
      default:
        return new Response("Not found", { status: 404 });
    }
  }

  function answerPager(request: Request): Response | Promise<Response> {
    switch (pagerduty) {
      case "limited": {
        const message = "Requests for this service are arriving too quickly.";
        return Response.json({ status: "throttle exceeded", message }, { status: 429 });
      }
      case "down":
        return Response.json({ status: "Internal Server Error" }, { status: 500 });
      case "silent":
        return new Promise(() => undefined);
      default:
        return answerPagerDuty(request, events);
    }
  }

  async function answerWebhook(name: string, request: Request): Promise<Response> {
    if (webhooks === "silent") return new Promise(() => undefined);
    const headers = Object.fromEntries(request.headers);
    received.push({ name, headers, body: await request.text(), mode: webhooks });
    switch (webhooks) {
      case "failing":
        return new Response("Bad gateway", { status: 502 });
      case "gone":
        return new Response(null, { status: 410 });
      case "redirect":
        return new Response(null, { status: 307, headers: { location: "/webhooks/elsewhere" } });
      case "slow":
        await setTimeout(slowMs);
        return new Response(null, { status: 204 });
      case "endless": {
        const chunk = new Uint8Array(64 * 1024);
        return new Response(new ReadableStream({ pull: (stream) => stream.enqueue(chunk) }));
      }
      default:
        return new Response(null, { status: 204 });
    }
  }

  const server = await serveOnLoopback(port, answer);
  return {
    url: server.url,
    async reset() {
      events.length = 0;
      received.length = 0;
      atServices.length = 0;
      pushed.length = 0;
      pagerduty = "well";
      webhooks = "well";
      services = "well";
    },
    close: () => server.close(),
  };
}

function page(
  url: string,
  {
    events,
    received,
    atServices,
  }: {
    events: readonly PagerEvent[];
    received: readonly Received[];
    atServices: readonly ServiceRequest[];
  },
): Response {
  const ofPager = events.map(
    ({ event_action, dedup_key, payload }) =>
      `<li><strong>${escapeHtml(payload?.summary ?? "")}</strong><br>
PagerDuty, ${event_action}, ${escapeHtml(dedup_key ?? "")}</li>`,
  );
  const ofWebhooks = received.map(
    ({ name, body }) => `<li>Webhook ${escapeHtml(name)}<pre>${escapeHtml(body)}</pre></li>`,
  );
  const ofServices = atServices.map(
    ({ service, body }) =>
      `<li>${escapeHtml(service)}<pre>${escapeHtml(JSON.stringify(body, null, 1))}</pre></li>`,
  );
  const items = [...ofPager, ...ofWebhooks, ...ofServices].toReversed();
  return fakePage({
    title: "Local alerts",
    refreshSeconds: 3,
    body: `<p class="note">What would reach PagerDuty, webhooks, chats and phones ends here. Mail is in the mail inbox. A webhook of
the address ${url}/webhooks/NAME arrives here too.</p>
${items.length > 0 ? `<ul>${items.join("\n")}</ul>` : "<p>Nothing yet.</p>"}`,
  });
}
