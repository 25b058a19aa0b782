/** How many origins may frame one embedded test. */
const maxOrigins = 10;
const maxOriginLength = 200;

const originForm = /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?$/;
/** A developer's own machine, where pages have no certificate. */
const localForm = /^http:\/\/localhost(:\d{1,5})?$/;

/** Whether a text is an origin that a content policy may name: nothing in it ends a directive, and no part is a wildcard. */
export const isFrameOrigin = (text: string): boolean =>
  text.length <= maxOriginLength && (originForm.test(text) || localForm.test(text));

/** The origins that somebody typed, one a line, as browsers write them; or a sentence why they cannot be allowed. */
export function readOrigins(typed: string): { origins: string[] } | { refusal: string } {
  const lines = typed.split(/[\s,]+/).filter((line) => line !== "");
  if (lines.length === 0) {
    return { refusal: "Write the address of the page's site, such as https://help.example.com." };
  }
  const origins = new Set<string>();
  for (const line of lines) {
    const shown = line.slice(0, 80);
    const url = URL.parse(line);
    if (!url || !/^https?:\/\//i.test(line)) {
      return { refusal: `Write a whole address with https://, and not ${shown}.` };
    }
    if (url.username || url.password || url.search || url.hash || url.pathname !== "/") {
      return { refusal: `Write the site alone, without a page of it: ${url.origin}` };
    }
    if (!isFrameOrigin(url.origin)) {
      return { refusal: `Pages of ${shown} cannot be allowed: only names with https://.` };
    }
    origins.add(url.origin);
  }
  if (origins.size > maxOrigins) return { refusal: `At most ${maxOrigins} sites can be allowed.` };
  return { origins: [...origins] };
}

/** What the customer puts into a page of theirs; their back end replaces TOKEN. */
export const embedSnippet = (siteUrl: string, id: string): string =>
  `<iframe src="${siteUrl}/connection-test/embed/${id}#TOKEN" title="Connection test" width="100%" height="720"></iframe>`;
