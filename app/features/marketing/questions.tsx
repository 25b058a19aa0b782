import { PlusIcon } from "~/ui/primitives/icons";
import { TextLink } from "~/ui/primitives/text-link";

type Pair = { question: string; answer: string; link?: { to: string; label: string } };

/** Questions, each opened by itself. The page's own of the same kind is /faq. */
export function Questions({ title, pairs }: { title: string; pairs: readonly Pair[] }) {
  return (
    <section aria-labelledby="questions" className="border-t border-line">
      <div className="page grid gap-10 py-14 sm:py-20 lg:grid-cols-[1fr_1.6fr]">
        <h2 id="questions" className="text-2xl">
          {title}
        </h2>
        <div className="border-t border-line">
          {pairs.map(({ question, answer, link }) => (
            <details key={question} className="group border-b border-line">
              <summary className="flex list-none items-center justify-between gap-6 py-5 hover:text-signal [&::-webkit-details-marker]:hidden">
                <h3 className="text-lg">{question}</h3>
                <PlusIcon className="shrink-0 text-ink-soft transition-transform group-open:rotate-45" />
              </summary>
              <div className="max-w-prose pb-6 text-ink-soft">
                <p>{answer}</p>
                {link ? (
                  <p className="mt-3 text-sm">
                    <TextLink to={link.to} className="text-ink">
                      {link.label}
                    </TextLink>
                  </p>
                ) : null}
              </div>
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}
