/** `too-large` is found while reading: never more than the limit is unpacked. */
export type Body = { ok: true; text: string } | { ok: false; code: "too-large" | "unreadable" };

/** The text of a request's body, unpacked where it says that it is packed by gzip. */
export async function readBody(request: Request, most: number): Promise<Body> {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip") return { ok: false, code: "unreadable" };
  if (!request.body) return { ok: true, text: "" };
  const bytes =
    encoding === "gzip" ? request.body.pipeThrough(new DecompressionStream("gzip")) : request.body;
  const reader = bytes.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, size] = ["", 0];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { ok: true, text: text + decoder.decode() };
      size += value.byteLength;
      if (size > most) {
        await reader.cancel().catch(() => undefined);
        return { ok: false, code: "too-large" };
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // A body that breaks off, that is not what its encoding says, or no UTF-8.
    return { ok: false, code: "unreadable" };
  }
}
