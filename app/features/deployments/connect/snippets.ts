export type Snippet = {
  /** The name of the file that the code goes into. */
  file: string;
  language: string;
  code: string;
  /** Which package in which version; names are between backticks. */
  about: string;
};

/** The domain in every sample of the documentation. */
const exampleDomain = "livekit.example.com";

/**
 * The code below the heading of a page of the documentation, with the customer's own domain. Throws where the page has
 * no such code.
 */
export function snippetBelow(heading: string, page: string, domain: string): Snippet {
  const [, section = ""] = page.split(`\n### ${heading}\n`);
  const [, about, language, file, code] =
    /^\n(.+)\n\n```(\w+) (\S+)\n([\s\S]+?)\n```\n/.exec(section) ?? [];
  if (!about || !language || !file || !code) throw new Error(`There is no code for ${heading}`);
  return { about, language, file, code: code.replaceAll(exampleDomain, domain) };
}

/** What the back end reads from its environment. Key and secret are on the server alone, so they are left empty. */
export function environmentBlock(domain: string): string {
  return `LIVEKIT_URL=wss://${domain}\nLIVEKIT_API_KEY=\nLIVEKIT_API_SECRET=\n`;
}
