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

/** The largest form, in bytes. The guard and the action read the same form with the same limit. */
const largestForm = 128 * 1024;

/**
 * Reads a posted form. A body that is no form, or is too large, gives an empty form: the action then says which
 * fields are missing.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return (await readLongForm(request, largestForm)) ?? new URLSearchParams();
}

/**
 * Reads a posted form with long texts, of at most `limit` bytes; undefined above that. Our forms have no field twice.
 * Of a repeated field only the first value is kept, so that the code that checks it and the code that uses it read
 * the same value.
 */
export async function readLongForm(
  request: Request,
  limit: number,
): Promise<URLSearchParams | undefined> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return new URLSearchParams();
  const body = await readBody(request, limit);
  return body === undefined ? undefined : firstOfEach(new URLSearchParams(body));
}

function firstOfEach(sent: URLSearchParams): URLSearchParams {
  const unique = new URLSearchParams();
  for (const [name, value] of sent) if (!unique.has(name)) unique.append(name, value);
  return unique;
}
