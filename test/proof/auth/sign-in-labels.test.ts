import { beforeAll, expect, test } from "vitest";
import { linkLabels, linkWords } from "../../../app/content/link-words.ts";
import { continueWith, providerNames } from "../../../app/content/provider-names.ts";
import {
  type SignInLabels,
  signInFailures,
  signInLabels,
  weakPasswordReasons,
} from "../../../app/content/sign-in-labels.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";

beforeAll(resetFakes);

const email = "ada@example.com";
const hash = "a".repeat(56);

type Words = { readonly [name: string]: string | Words };
const wordsIn = (labels: Words): string[] =>
  Object.values(labels).flatMap((each) => (typeof each === "string" ? [each] : wordsIn(each)));

const allWords = new Set([
  ...[signInLabels, signInFailures, weakPasswordReasons, linkLabels, linkWords].flatMap(wordsIn),
  ...Object.values(providerNames).map((name) => continueWith.replace("{provider}", name)),
  email,
]);

/** What a page says in its main part, piece by piece. */
function textsIn(page: string): string[] {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(page)?.[1] ?? "";
  const attributes = [...main.matchAll(/(?:aria-label|placeholder|title|alt)="([^"]*)"/g)];
  return [...main.split(/<[^>]*>/), ...attributes.map(([, words = ""]) => words)]
    .map((words) => words.replaceAll("&#x27;", "'").replaceAll("&quot;", '"').trim())
    .filter((words) => words !== "");
}

test.each<[string, (visitor: Visitor) => Promise<Response>]>([
  ["all six views", (visitor) => visitor.request("/signin")],
  [
    "a refused password",
    (visitor) => visitor.post("/signin", { intent: "sign_in", email, password: "x" }),
  ],
  [
    "a weak password",
    (visitor) => visitor.post("/signin", { intent: "sign_up", email, password: "x" }),
  ],
  ["no address", (visitor) => visitor.post("/signin", { intent: "magic_link", email: "" })],
  [
    "a mail sent",
    (visitor) =>
      visitor.post("/signin", { intent: "sign_up", email, password: "four quiet servers hum" }),
  ],
  ["a link", (visitor) => visitor.request(`/auth/confirm?token_hash=${hash}&type=recovery`)],
  ["a broken link", (visitor) => visitor.request("/auth/confirm")],
  [
    "an expired link",
    (visitor) => visitor.post("/auth/confirm", { token_hash: hash, type: "signup" }),
  ],
])("%s: every word comes from the labels", async (_, ask) => {
  const texts = textsIn(await (await ask(new Visitor())).text());
  expect(texts.length).toBeGreaterThan(2);
  const filled = (words: string) =>
    words.replace(/at least \d+ characters/, "at least {least} characters");
  expect(texts.filter((words) => !allWords.has(filled(words)))).toEqual([]);
});

test("the labels can be replaced as a whole, with every view and nothing else", () => {
  const translate = <Labels extends Words>(labels: Labels): Labels =>
    JSON.parse(JSON.stringify(labels), (_, value) =>
      typeof value === "string" ? `⟦${value}⟧` : value,
    );
  // The type check is the test: a label that is missing, or is no text, would not compile.
  const other: SignInLabels = translate<SignInLabels>(signInLabels);
  expect(Object.keys(other)).toEqual([
    "shared",
    "sign_in",
    "sign_up",
    "forgotten_password",
    "magic_link",
    "update_password",
    "verify_otp",
  ]);
  expect(other.magic_link.empty).toBe("⟦Enter your email address.⟧");
});
