import { z } from "zod";

/** A request as it came to a service. */
export type ServiceRequest = {
  service: string;
  path: string;
  authorization: string | null;
  body: unknown;
};

/** How all services answer: as usual, after the target was deleted, above their limit, or with a fault. */
export const serviceModes = ["well", "gone", "limited", "down"] as const;
export type ServiceMode = (typeof serviceModes)[number];

type Service = {
  /** Of the path below the service's name. */
  path: RegExp;
  /** What its reference asks of a body; more is refused. */
  body: z.ZodType;
  authorization?: RegExp;
  well: () => Response;
  refused: () => Response;
  gone: () => Response;
  limited: () => Response;
};

const text = (words: string, status = 200, headers: Record<string, string> = {}) =>
  new Response(words, { status, headers });

/** The services that alerts go to, each by its reference as it was on 28 November 2026. */
const services: Readonly<Record<string, Service>> = {
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors
  slack: {
    path: /^\/services\/\w+\/\w+\/\w+$/,
    body: z.strictObject({
      text: z.string().min(1).max(40_000),
      mrkdwn: z.boolean().optional(),
      unfurl_links: z.boolean().optional(),
      blocks: z.array(z.unknown()).max(50).optional(),
    }),
    well: () => text("ok"),
    refused: () => text("invalid_payload", 400),
    gone: () => text("no_service", 404),
    limited: () => text("rate_limited", 429, { "retry-after": "30" }),
  },
  // https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using and
  // https://adaptivecards.io/explorer/ (RichTextBlock, TextRun, Action.OpenUrl)
  teams: {
    path: /^\/workflows\/\w+$/,
    body: z.strictObject({
      type: z.literal("message"),
      attachments: z.array(
        z.strictObject({
          contentType: z.literal("application/vnd.microsoft.card.adaptive"),
          contentUrl: z.null(),
          content: z.strictObject({
            $schema: z.literal("http://adaptivecards.io/schemas/adaptive-card.json"),
            type: z.literal("AdaptiveCard"),
            version: z.enum(["1.2", "1.4"]),
            body: z.array(
              z.strictObject({
                type: z.literal("RichTextBlock"),
                inlines: z.array(
                  z.strictObject({
                    type: z.literal("TextRun"),
                    text: z.string(),
                    weight: z.enum(["Lighter", "Default", "Bolder"]).optional(),
                    size: z.enum(["Small", "Default", "Medium", "Large"]).optional(),
                  }),
                ),
              }),
            ),
            actions: z.array(
              z.strictObject({
                type: z.literal("Action.OpenUrl"),
                title: z.string(),
                url: z.url(),
              }),
            ),
          }),
        }),
      ),
    }),
    well: () => text("", 202),
    refused: () => Response.json({ error: { code: "InvalidRequestContent" } }, { status: 400 }),
    gone: () => Response.json({ error: { code: "WorkflowNotFound" } }, { status: 404 }),
    limited: () => text("", 429, { "retry-after": "30" }),
  },
  // https://discord.com/developers/docs/resources/webhook#execute-webhook and /topics/rate-limits
  discord: {
    path: /^\/api\/webhooks\/\d+\/[\w-]+$/,
    body: z.strictObject({
      content: z.string().min(1).max(2_000),
      username: z
        .string()
        .max(80)
        .regex(/^(?!.*(clyde|discord))/i)
        .optional(),
      allowed_mentions: z.strictObject({ parse: z.array(z.enum(["roles", "users", "everyone"])) }),
    }),
    well: () => new Response(null, { status: 204 }),
    refused: () => Response.json({ message: "Invalid Form Body", code: 50035 }, { status: 400 }),
    gone: () => Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 }),
    limited: () =>
      Response.json(
        { message: "You are being rate limited.", retry_after: 30, global: false },
        { status: 429, headers: { "retry-after": "30" } },
      ),
  },
  // https://core.telegram.org/bots/api#sendmessage, #making-requests and #responseparameters
  telegram: {
    path: /^\/bot\d+:[\w-]+\/sendMessage$/,
    body: z.strictObject({
      chat_id: z.string(),
      text: z.string().min(1).max(4_096),
      link_preview_options: z.strictObject({ is_disabled: z.boolean() }).optional(),
    }),
    well: () => Response.json({ ok: true, result: { message_id: 1 } }),
    refused: () => ofTelegram(400, "Bad Request: message text is empty"),
    gone: () => ofTelegram(403, "Forbidden: bot was kicked from the supergroup chat"),
    limited: () => ofTelegram(429, "Too Many Requests: retry after 30", { retry_after: 30 }),
  },
  // https://docs.ntfy.sh/publish/#publish-as-json and #limitations
  ntfy: {
    path: /^\/$/,
    body: z.strictObject({
      topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
      title: z.string().optional(),
      message: z
        .string()
        .refine((message) => Buffer.byteLength(message) <= 4_096)
        .optional(),
      priority: z.int().min(1).max(5).optional(),
      click: z.url().optional(),
    }),
    authorization: /^(Bearer tk_\w+)?$/,
    well: () => Response.json({ id: "sPs71M8A2T", event: "message" }),
    refused: () => Response.json({ code: 40024, http: 400 }, { status: 400 }),
    gone: () => Response.json({ code: 40301, http: 403, error: "forbidden" }, { status: 403 }),
    limited: () => Response.json({ code: 42901, http: 429 }, { status: 429 }),
  },
  // https://docs.opsgenie.com/docs/alert-api and /docs/response
  opsgenie: opsgenie(),
  "opsgenie-eu": opsgenie(),
};

const ofTelegram = (error_code: number, description: string, parameters?: object) =>
  Response.json({ ok: false, error_code, description, parameters }, { status: error_code });

function opsgenie(): Service {
  const answer = (result: object, status: number) =>
    Response.json({ ...result, took: 0.1, requestId: crypto.randomUUID() }, { status });
  return {
    path: /^\/v2\/alerts(\/[^/]{1,512}\/(close|acknowledge)\?identifierType=alias)?$/,
    body: z.union([
      z.strictObject({
        message: z.string().min(1).max(130),
        alias: z.string().max(512),
        description: z.string().max(15_000),
        source: z.string().max(100),
        priority: z.enum(["P1", "P2", "P3", "P4", "P5"]),
      }),
      z.strictObject({ source: z.string().max(100) }),
    ]),
    authorization: /^GenieKey [0-9a-f-]{36}$/,
    well: () => answer({ result: "Request will be processed" }, 202),
    refused: () => answer({ message: "Request body is not processable." }, 422),
    gone: () => answer({ message: "Could not authenticate" }, 401),
    limited: () => answer({ message: "You are making too many requests!" }, 429),
  };
}

/** Answers a request to `/SERVICE/…` as that service does, and records what it took; undefined where there is none. */
export async function answerService(
  request: Request,
  mode: ServiceMode,
  received: ServiceRequest[],
): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url);
  const [, name = "", below = ""] = /^\/([\w-]+)(\/.*)$/.exec(pathname) ?? [];
  const service = Object.hasOwn(services, name) ? services[name] : undefined;
  if (!service || request.method !== "POST") return;
  const path = below + search;
  if (mode === "down") return new Response("Bad gateway", { status: 502 });
  if (mode !== "well") return service[mode]();
  const authorization = request.headers.get("authorization");
  const body: unknown = await request.json().catch(() => undefined);
  const isGood =
    service.path.test(path) &&
    service.body.safeParse(body).success &&
    (service.authorization?.test(authorization ?? "") ?? true);
  if (!isGood) return service.refused();
  received.push({ service: name, path, authorization, body });
  return service.well();
}
