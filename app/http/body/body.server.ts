/** How many bytes are read beyond a limit: a sender that is cut off while sending may never see our answer. */
const grace = 64 * 1024;

/**
 * Reads the body of a request or of another server's answer as text, at most `limit` bytes. Undefined when the body is
 * larger, or when the sender broke off.
 */
export async function readBody(
  message: Request | Response,
  limit: number,
): Promise<string | undefined> {
  if (Number(message.headers.get("content-length") ?? 0) > limit + grace) return;
  if (!message.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for await (const chunk of message.body) {
      size += chunk.byteLength;
      if (size > limit + grace) return;
      if (size <= limit) text += decoder.decode(chunk, { stream: true });
    }
  } catch {
    return;
  }
  return size > limit ? undefined : text + decoder.decode();
}

/** Reads and drops the rest of a body that nobody read, so that the sender sees our answer. At most `limit` bytes. */
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
    // The sender broke off. The answer is sent all the same.
  }
}
