/**
 * Moves the preloads of a page's scripts to the end of the head, with a low priority. React writes them first, and
 * browsers would then load the scripts before the style sheets, although a page is drawn without scripts.
 */
export function preloadScriptsLast(page: string): string {
  const scripts: string[] = [];
  const rest = page.replace(/<link rel="modulepreload" href="([^"]+)"[^>]*\/>/g, (_, href) => {
    scripts.push(`<link rel="modulepreload" href="${href}" fetchpriority="low"/>`);
    return "";
  });
  return rest.replace("</head>", () => `${scripts.join("")}</head>`);
}
