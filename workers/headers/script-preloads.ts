/**
 * Puts the preloads of a page's scripts after its style sheets, and behind them in the queue. React
 * writes them first, and browsers would then draw a page, which needs no script for that, only after
 * its scripts have arrived.
 */
export function preloadScriptsLast(page: string): string {
  const scripts: string[] = [];
  const rest = page.replace(/<link rel="modulepreload" href="([^"]+)"[^>]*\/>/g, (_, href) => {
    scripts.push(`<link rel="modulepreload" href="${href}" fetchpriority="low"/>`);
    return "";
  });
  return rest.replace("</head>", () => `${scripts.join("")}</head>`);
}
