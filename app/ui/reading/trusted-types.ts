type Rules = Partial<Record<"createHTML" | "createScriptURL", (text: string) => string | null>>;
type Policy = { createHTML(text: string): string };
type Factory = { createPolicy(name: string, rules: Rules): Policy };

/** A name that is not in the page's content policy, or is taken, is refused by throwing. */
function policy(name: string, rules: Rules): Policy | undefined {
  try {
    return (globalThis as { trustedTypes?: Factory }).trustedTypes?.createPolicy(name, rules);
  } catch {
    return;
  }
}

// What libraries write as plain text passes here, and nothing else becomes HTML or a script: React
// makes script elements of exactly this text, and text without "<" makes no element. Stripe.js is
// loaded by its address, as Stripe's guide on security asks for; the page of alerts registers the script of push.
policy("default", {
  createHTML: (text) => (text === "<script></script>" || !text.includes("<") ? text : null),
  createScriptURL: (url) =>
    url.startsWith("https://js.stripe.com/") || url === "/push-worker.js" ? url : null,
});

const ours = policy("page-text", { createHTML: (html) => html });

/** HTML that was compiled from our own files, as the browser wants it marked. Never for other text. */
export function compiledHtml(html: string): string {
  return ours?.createHTML(html) ?? html;
}
