/** Words of questions that say nothing about their subject. */
const stopWords = new Set(
  `a about after again all also am an and any anybody anyone anything are as at be because been before being but by can cannot cant could did
  do does doesnt doing dont every everybody everyone for from get gets getting had has have having he her here his how i if im in into is isnt it
  its just like make makes me my need no nobody not nothing of on only or other our out over please same see she should so some somebody someone
  such than that the their them then there these they thing this those though through to too try trying under until
  up us use used uses using very want was way we were what when where which while who whose why will with without wont
  work working works would you your`.split(/\s+/),
);

/** The form in which a word is looked up: in lower case and without an ending. Empty for a word that says nothing. */
export function stemOf(word: string): string {
  const plain = word.toLowerCase().replaceAll(/['’]/g, "");
  if (stopWords.has(plain)) return "";
  if (plain.length < 5 || /\d/.test(plain)) return plain.replace(/(?<=[a-z]{3})s$/, "");
  return (
    plain
      .replace(/ies$/, "y")
      .replace(/(?<=ss|x|ch|sh)es$|(?<=[^s])s$/, "")
      .replace(/(?:ing|ed|ion)$/, "")
      // As in Porter's stemmer: "dropped" is "drop", while "call" and "pass" have two of their own.
      .replace(/([bdgmnprt])\1$/, "$1")
      .replace(/e$/, "")
  );
}

/** Words that people use for one another. A group's words are looked up for each of its words, and count less. */
const synonyms: ReadonlyMap<string, readonly string[]> = new Map(
  [
    "bigger larger resize upsize scale",
    "offline air gapped internet",
    "uninstall remove delete deinstall",
    "price pricing cost fee subscription plan",
    "cluster node multinode",
    "multiple several second",
    "vm machine droplet instance",
    "certificate cert ssl tls",
    "letsencrypt encrypt acme",
    "domain hostname",
    "port firewall",
    "update upgrade",
    "phone telephone sip",
    "monitoring metrics",
    "video camera webcam",
    "mic microphone audio sound voice",
    "signin login",
    "kubernetes k8s helm",
    "bucket s3 storage",
    "migrate move",
    "invoice bill payment",
    "notify alert notification pager",
    "colleague member team invite",
    "user participant",
    "leaked stolen compromised",
  ].flatMap((group) => {
    const stems = group.split(" ").map(stemOf);
    return stems.map((stem) => [stem, stems.filter((other) => other !== stem)] as const);
  }),
);

/** The stems of a question's words, without those that say nothing. */
export function stemsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}'’]+/u)
    .map(stemOf)
    .filter(Boolean);
}

export function synonymsOf(stem: string): readonly string[] {
  return synonyms.get(stem) ?? [];
}
