/** HTML that is safe to place in a page as it is. */
export type Html = { readonly html: string };

/** Builds HTML; every value that is not HTML itself is escaped. */
export function html(parts: TemplateStringsArray, ...values: unknown[]): Html {
  const rendered = values.map(render);
  return { html: parts.map((part, index) => part + (rendered[index] ?? "")).join("") };
}

function render(value: unknown): string {
  if (Array.isArray(value)) return value.map(render).join("");
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "object" && "html" in value) return String(value.html);
  return String(value).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

const style = `
:root { color-scheme: light dark; --ink: #1a1f36; --soft: #5b6478; --line: #dfe3eb; --paper: #ffffff; --ground: #f4f6fa; --accent: #4f46e5; --wrong: #b42318; --right: #067647; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceef5; --soft: #a5adbf; --line: #343a4c; --paper: #1b1f2b; --ground: #12151d; --accent: #7c78ff; --wrong: #ff8f85; --right: #5fd39a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 2.5rem auto; padding: 0 1rem; }
main.wide { max-width: 64rem; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 14px; padding: 1.5rem; margin: 1rem 0; }
h1 { font-size: 1.35rem; line-height: 1.25; margin: .5rem 0; } h2 { font-size: 1.05rem; margin: 0 0 .75rem; } h3 { font-size: 1.05rem; margin: 1rem 0 .5rem; }
.price { margin: .25rem 0; font-size: 2rem; font-weight: 650; letter-spacing: -.02em; } .price small { font-size: 1rem; font-weight: 400; color: var(--soft); letter-spacing: 0; }
label { display: block; font-weight: 550; margin: 1rem 0 .25rem; }
input, select { width: 100%; font: inherit; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); color: inherit; }
input[readonly] { color: var(--soft); }
button { font: inherit; font-weight: 600; padding: .6rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); color: var(--ink); cursor: pointer; }
button.main { width: 100%; margin-top: 1.25rem; background: #4f46e5; border-color: #4f46e5; color: #fff; padding: .75rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); } .soft { color: var(--soft); } .small { font-size: .875rem; }
.wrong { color: var(--wrong); font-weight: 550; } .right { color: var(--right); }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; } .row form { margin: 0; } .row + .row { margin-top: .5rem; } .amount { white-space: nowrap; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; } th, td { text-align: left; padding: .4rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
code { font: .85em ui-monospace, monospace; }
`;

/** A whole page. Nothing on it needs a script. */
export function page(title: string, body: Html, options: { wide?: boolean; status?: number } = {}) {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
</head>
<body><main${{ html: options.wide ? ' class="wide"' : "" }}>
${body}
</main></body>
</html>`;
  return new Response(document.html, {
    status: options.status ?? 200,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}

/** Sends the browser on after a form; the next request is a GET. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}

/** An amount in the currency's smallest unit, as a person writes it. */
export function money(amount: number | null, currency: string | null): string {
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: (currency ?? "usd").toUpperCase(),
  }).format((amount ?? 0) / 100);
}

/** A day as a person writes it; times in the fake are UTC. */
export function day(seconds: number): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(
    seconds * 1000,
  );
}
