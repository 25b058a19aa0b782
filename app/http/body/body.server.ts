/** A sender who is cut off while sending may never see our answer, so a little more is taken. */
const grace = 64 * 1024;

/**
 * Reads a request's body as text, at most `limit` bytes of it.
 * Answers undefined when there is more, which is thrown away, and when the sender broke off.
 */
export async function readBody(request: Request, limit: number): Promise<string | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > limit + grace) return;
  if (!request.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > limit + grace) return;
      if (size <= limit) text += decoder.decode(chunk, { stream: true });
    }
  } catch {
    return;
  }
  return size > limit ? undefined : text + decoder.decode();
}

/** Takes what is left of a body that nobody read, for the same reason: of a small one, or up to `limit`. */
export async function discardUnread(request: Request, limit = 0): Promise<void> {
  if (!request.body || request.bodyUsed || request.body.locked) return;
  if (Number(request.headers.get("content-length") ?? 0) > limit + grace) return;
  let size = 0;
  try {
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > limit + grace) return;
    }
  } catch {
    // Whoever broke off gets the answer that was made, if they still read.
  }
}
