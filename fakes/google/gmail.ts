import { parsed } from "./request-log.ts";

type Forward = (request: Request) => Promise<Response>;

/**
 * What Gmail does beyond the emulator: a message that is sent gets Gmail's own Message-ID, fields that
 * Gmail does not know stay in it and are read back, and the metadata of a message has no snippet.
 */
export async function answerGmail(
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
  forward: Forward,
): Promise<Response> {
  const { method, headers, url } = request;
  const { pathname, searchParams } = new URL(url);
  if (method !== "GET") {
    const body = pathname.endsWith("/messages/send") ? withoutMessageId(bytes) : bytes;
    return forward(new Request(url, { method, headers: withoutLength(headers), body }));
  }
  const answer = await forward(new Request(url, { headers }));
  const isMessage = /\/messages\/[^/]+$/.test(pathname);
  if (!answer.ok || !isMessage || searchParams.get("format") !== "metadata") return answer;
  const message = (await answer.json()) as {
    snippet?: string;
    payload?: { headers?: { name: string; value: string }[] };
  };
  const rawUrl = new URL(url);
  rawUrl.search = "?format=raw";
  const { raw } = (await (await forward(new Request(rawUrl, { headers }))).json()) as {
    raw: string;
  };
  const requestedNames = searchParams.getAll("metadataHeaders").map((name) => name.toLowerCase());
  message.payload?.headers?.push(
    ...unknownFields(raw).filter(({ name }) => requestedNames.includes(name.toLowerCase())),
  );
  delete message.snippet;
  return Response.json(message);
}

function withoutLength(headers: Headers): Headers {
  const remaining = new Headers(headers);
  remaining.delete("content-length");
  return remaining;
}

function withoutMessageId(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  const body = parsed(text);
  if (typeof body !== "object" || body === null || !("raw" in body)) return text;
  const message = Buffer.from(String(body.raw), "base64url").toString();
  const raw = message.replace(/^Message-ID: .*\r\n/im, "");
  return JSON.stringify({ ...body, raw: Buffer.from(raw).toString("base64url") });
}

/** The X- fields of a message's head. */
function unknownFields(raw: string): { name: string; value: string }[] {
  const [head = ""] = Buffer.from(raw, "base64url").toString().split("\r\n\r\n");
  return [...head.matchAll(/^(X-[\w-]+): (.*)$/gim)].map(([, name = "", value = ""]) => ({
    name,
    value: value.trim(),
  }));
}
