const timeoutMs = 10_000;

/** The site's answer to one request. Redirects are not followed. */
export type Answer = {
  path: string;
  status: number;
  headers: Headers;
  body: string;
};

/** A site that requests can be sent to; the address is an origin. */
export type Site = {
  origin: string;
  ask(path: string, init?: RequestInit): Promise<Answer>;
};

/** A site at an origin such as `https://www.example.com`. */
export function siteAt(origin: string): Site {
  return {
    origin,
    async ask(path, init) {
      const response = await fetch(new URL(path, origin), {
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
        ...init,
      });
      const { status, headers } = response;
      return { path, status, headers, body: await response.text() };
    },
  };
}

/** Something that the site should have done. Its message says what it did instead. */
export class Finding extends Error {}

/** Throws a finding when the answer has another status. */
export function expectStatus(answer: Answer, status: number): void {
  if (answer.status === status) return;
  throw new Finding(`${answer.path} answered ${answer.status} instead of ${status}`);
}

/** Throws a finding when a header does not fit; says what it was. */
export function expectHeader(answer: Answer, name: string, fits: RegExp): void {
  const value = answer.headers.get(name);
  if (value !== null && fits.test(value)) return;
  const problem = value === null ? "is missing" : `says "${value.slice(0, 200)}"`;
  throw new Finding(`the header ${name} of ${answer.path} ${problem}`);
}

/** Throws a finding when the words are not in the body. */
export function expectWords(answer: Answer, words: string): void {
  if (answer.body.includes(words)) return;
  throw new Finding(`${answer.path} does not say "${words}"`);
}
