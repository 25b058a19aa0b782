import { type AgentRecording, readRecording } from "./agent-recording";

const waitMs = 15_000;

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
  const response = await ask(domain, job, token);
  if (!response.ok) return response;
  try {
    const answer = readRecording(await response.answer.json());
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
  const response = await ask(domain, `${job}/audio`, token);
  if (!response.ok) return response;
  try {
    return { ok: true, answer: URL.createObjectURL(await response.answer.blob()) };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

async function ask(domain: string, path: string, token: string): Promise<Outcome<Response>> {
  try {
    const response = await fetch(`https://${domain}/observability/insights/${path}`, {
      headers: { authorization: `Bearer ${token}` },
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(waitMs),
    });
    if (response.ok) return { ok: true, answer: response };
    if (response.status === 401) return { ok: false, failure: "refused" };
    return { ok: false, failure: response.status === 404 ? "missing" : "unreachable" };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

function failureOf(error: unknown): RecordingFailure {
  if (error instanceof DOMException && error.name === "TimeoutError") return "slow";
  return navigator.onLine ? "unreachable" : "offline";
}
