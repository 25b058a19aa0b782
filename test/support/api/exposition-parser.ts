type Sample = { labels: Record<string, string>; value: number };
type Family = { help: string; type: string; samples: Sample[] };

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;

/**
 * What Prometheus reads out of the text format 0.0.4: the families, each with its HELP and TYPE before its samples, and no
 * series twice. Throws for what the format does not allow.
 */
export function parsedExposition(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line does not end");
  const families = new Map<string, Family>();
  const series = new Set<string>();
  let current = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const [, helped, help] = new RegExp(`^# HELP (${name}) (.+)$`).exec(line) ?? [];
    if (helped) {
      if (families.has(helped)) throw new Error(`${helped} is there twice`);
      families.set(helped, { help: help ?? "", type: "", samples: [] });
      current = helped;
      continue;
    }
    const family = families.get(current);
    const [, typed, type] = new RegExp(`^# TYPE (${name}) (\\w+)$`).exec(line) ?? [];
    if (typed) {
      if (!family || typed !== current) throw new Error(`TYPE without HELP: ${line}`);
      family.type = type ?? "";
      continue;
    }
    const [, sampled, inner, value = ""] =
      new RegExp(`^(${name})(?:\\{(.*)\\})? (-?[0-9.e+-]+)$`).exec(line) ?? [];
    if (!family?.type || sampled !== current) throw new Error(`No sample of ${current}: ${line}`);
    const labels = labelsIn(inner ?? "");
    const key = JSON.stringify([sampled, labels]);
    if (series.has(key)) throw new Error(`A series is there twice: ${key}`);
    series.add(key);
    if (!Number.isFinite(Number(value))) throw new Error(`No number: ${line}`);
    family.samples.push({ labels, value: Number(value) });
  }
  return families;
}

function labelsIn(inner: string): Record<string, string> {
  const labels: Record<string, string> = {};
  label.lastIndex = 0;
  while (label.lastIndex < inner.length) {
    const at = label.lastIndex;
    const found = label.exec(inner);
    if (!found) throw new Error(`No label: ${inner.slice(at)}`);
    const [, named = "", value = ""] = found;
    labels[named] = value.replace(/\\([\\"n])/g, (_, each) => (each === "n" ? "\n" : each));
  }
  return labels;
}
