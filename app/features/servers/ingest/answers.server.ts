/** Why a machine is refused: the status, and what the person at the machine can do. */
export const refusals = {
  "unknown-token": [401, "This token was not made here. Copy it again from the console."],
  "token-ended": [410, "This token has ended. Make a new one in the console."],
  "token-used": [410, "This token was used by as many machines as it is for. Make a new one."],
  "token-revoked": [410, "This token was revoked. Make a new one in the console."],
  "plan-limit": [
    403,
    "The plan of this workspace has no place for one more server. Disconnect one in the console, or change the plan.",
  ],
  "unknown-key": [401, "This key is not known. Connect again: sudo livekit-deploy connect"],
  "key-revoked": [
    410,
    "This server was disconnected. To connect it again: sudo livekit-deploy connect",
  ],
  "another-machine": [
    409,
    "This key belongs to another machine. Allow this one on the server's page in the console.",
  ],
  "too-large": [413, "The report is larger than 256 KiB."],
  "too-often": [429, "Too many calls. The next one is tried later by itself."],
  unreadable: [
    400,
    "This cannot be read. Download the files again, then: sudo livekit-deploy apply FILE.zip",
  ],
  unavailable: [503, "The console cannot be reached right now. It is tried again by itself."],
  "not-found": [404, "There is nothing at this address."],
} as const satisfies Record<string, readonly [number, string]>;

export type RefusalCode = keyof typeof refusals;

/** Lines `name value` that a shell reads with `case`, and of which it evaluates nothing. */
export function answer(lines: Readonly<Record<string, string | number>>, status = 200): Response {
  const all = { "livekit-deploy": 1, ...lines };
  const body = Object.entries(all).map(([name, value]) => `${name} ${value}\n`);
  return new Response(body.join(""), {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

/** `notBefore`: the seconds until the next call. */
export function refuse(
  code: RefusalCode,
  more: { notBefore?: number; line?: number } = {},
): Response {
  const [status, say] = refusals[code];
  return answer(
    {
      refused: code,
      say,
      ...(more.line === undefined ? {} : { line: more.line }),
      ...(more.notBefore === undefined ? {} : { "not-before": more.notBefore }),
    },
    status,
  );
}
