/**
 * Reads a request's body as text, at most `limit` bytes of it.
 * Answers undefined when there is more; what is left is not read.
 */
export async function readBody(request: Request, limit: number): Promise<string | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) return;
  if (!request.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) return;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
