import type { Thing } from "./thing";

/** Questions with their answers, in words that the page shows too. */
export function faqPage(pairs: readonly { question: string; answer: string }[]) {
  return {
    "@type": "FAQPage",
    mainEntity: pairs.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  } satisfies Thing;
}
