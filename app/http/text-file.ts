/** The response with a small text file that is the same for everybody. */
export function textFile(lines: readonly string[]): Response {
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
