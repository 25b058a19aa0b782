/** A text with each `{name}` replaced by what it stands for. What is filled in may itself have braces or dollar signs. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
