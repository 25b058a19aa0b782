// In the order in which they are looked for: most browsers name others too.
const browsers = [
  ["Edge", /\bEdg/],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /SamsungBrowser/],
  ["Firefox", /Firefox|FxiOS/],
  ["Chrome", /Chrome|CriOS/],
  ["Safari", /Safari/],
] as const;
const systems = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Macintosh/],
  ["Linux", /Linux|CrOS/],
] as const;

/** What a person calls a browser, such as "Chrome on Android". */
export function browserName(userAgent: string): string {
  const [browser] = browsers.find(([, form]) => form.test(userAgent)) ?? ["a browser"];
  const [system] = systems.find(([, form]) => form.test(userAgent)) ?? [];
  return system ? `${browser} on ${system}` : browser;
}
