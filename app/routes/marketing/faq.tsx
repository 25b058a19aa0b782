import { useEffect } from "react";
import { faqTexts, type Faq as Pairs } from "~/features/marketing/page-texts.server";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import { pageMeta, type Thing } from "~/seo/page-meta";
import { PlusIcon } from "~/ui/primitives/icons";
import { PageIntro } from "~/ui/primitives/page-intro";
import { TextLink } from "~/ui/primitives/text-link";
import { openAddressedAnswer } from "~/ui/reading/addressed-answer.client";
import type { Route } from "./+types/faq";

export const meta: Route.MetaFunction = ({ loaderData: faq = [] }) =>
  pageMeta({
    title: "Frequently asked questions",
    description:
      "Supported clouds, automatic SSL, what a deployment contains, updates, minimum requirements and technical support.",
    path: "/faq",
    structured: [
      faqPage(
        faq.map(({ question, answer, points = [] }) => ({
          question,
          answer: [answer, points.join("; ")].join(" ").trim(),
        })),
      ),
    ],
  });

export const handle = { isPublic: true, isReading: true } satisfies RouteHandle;

export const loader = ({ context }: Route.LoaderArgs) => faqTexts(context.get(appContext));

export default function Faq({ loaderData: faq }: Route.ComponentProps) {
  // A link to an answer from a page with React leads here without a new document.
  useEffect(openAddressedAnswer, []);
  return (
    <div className="page grid lg:grid-cols-[1fr_2fr] lg:gap-12">
      <PageIntro title="Frequently asked questions">
        <p>
          Something else?{" "}
          <TextLink to="/support" className="text-ink">
            Ask us
          </TextLink>
          .
        </p>
      </PageIntro>
      <div className="border-t border-line lg:mt-24">
        {faq.map((pair, position) => (
          <Question key={pair.id} pair={pair} open={position === 0} />
        ))}
      </div>
    </div>
  );
}

function Question({ pair, open }: { pair: Pairs[number]; open: boolean }) {
  return (
    <details open={open} className="group border-b border-line">
      <summary className="flex list-none items-center justify-between gap-6 py-5 hover:text-signal [&::-webkit-details-marker]:hidden">
        <h2 className="text-lg">{pair.question}</h2>
        <PlusIcon className="shrink-0 text-ink-soft transition-transform group-open:rotate-45" />
      </summary>
      {/* The name is on the answer, not around it: without script browsers then open it themselves. */}
      <div id={pair.id} className="max-w-prose scroll-mt-36 pb-7">
        <p className="text-ink-soft">{pair.answer}</p>
        {pair.points ? (
          <ul className="mt-3 grid list-disc gap-1.5 pl-5 text-ink-soft marker:text-signal">
            {pair.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        ) : null}
        <p className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2 text-sm">
          {pair.link ? (
            <TextLink to={pair.link.to} className="text-ink">
              {pair.link.label}
            </TextLink>
          ) : null}
          <a href={`#${pair.id}`} className="font-mono text-ink-soft hover:text-ink">
            <span className="sr-only">Link to this answer: </span>#{pair.id}
          </a>
        </p>
      </div>
    </details>
  );
}

/** Questions with their answers, in words that the page shows too. */
function faqPage(pairs: readonly { question: string; answer: string }[]) {
  return {
    "@type": "FAQPage",
    mainEntity: pairs.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  } satisfies Thing;
}
