import { type AgentRecording, readRecording } from "./agent-recording";

/** How long a server may say nothing, before the first byte and between two. Three hours of sound take as long as they take. */
export const silenceMs = 15_000;

export type RecordingFailure =
  | "refused"
  | "missing"
  | "unreachable"
  | "offline"
  | "slow"
  | "unreadable";
type Outcome<Answer> = { ok: true; answer: Answer } | { ok: false; failure: RecordingFailure };

/**
 * Reads what an agent recorded from the customer's own server. The token goes there in a header and nowhere else; nothing
 * is sent along, remembered or followed elsewhere.
 */
export async function fetchRecording(
  domain: string,
  job: string,
  token: string,
): Promise<Outcome<AgentRecording>> {
  const found = await download(domain, job, token);
  if (!found.ok) return found;
  try {
    const answer = readRecording(JSON.parse(await found.answer.text()));
    return answer ? { ok: true, answer } : { ok: false, failure: "unreadable" };
  } catch {
    return { ok: false, failure: "unreadable" };
  }
}

/** The sound, as an address that this page alone can read and has to revoke. */
export async function fetchSound(
  domain: string,
  job: string,
  token: string,
): Promise<Outcome<string>> {
  const found = await download(domain, `${job}/audio`, token);
  return found.ok ? { ok: true, answer: URL.createObjectURL(found.answer) } : found;
}

async function download(domain: string, path: string, token: string): Promise<Outcome<Blob>> {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new DOMException("The server is silent", "TimeoutError"));
  let silence = setTimeout(giveUp, silenceMs);
  try {
    const response = await fetch(`https://${domain}/observability/insights/${path}`, {
      headers: { authorization: `Bearer ${token}` },
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: controller.signal,
    });
    if (response.status === 401) return { ok: false, failure: "refused" };
    if (!response.ok || !response.body)
      return { ok: false, failure: response.status === 404 ? "missing" : "unreachable" };
    const reader = response.body.getReader();
    const parts: BlobPart[] = [];
    for (;;) {
      clearTimeout(silence);
      silence = setTimeout(giveUp, silenceMs);
      const { value, done } = await reader.read();
      if (done) break;
      parts.push(value);
    }
    const type = response.headers.get("content-type") ?? "";
    return { ok: true, answer: new Blob(parts, { type }) };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  } finally {
    clearTimeout(silence);
  }
}

function failureOf(error: unknown): RecordingFailure {
  if (error instanceof DOMException && error.name === "TimeoutError") return "slow";
  return navigator.onLine ? "unreachable" : "offline";
}
