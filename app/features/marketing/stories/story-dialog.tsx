import { useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import type { Stories, Story } from "~/content/stories";
import { Dialog } from "~/ui/primitives/dialog";
import { ArrowIcon } from "~/ui/primitives/icons";
import { useClose } from "~/ui/primitives/use-close";
import { addressOf, neighboursOf } from "./story-address";
import { StoryPicture } from "./story-picture";

/** One story in full, over the cards. */
export function StoryDialog({ story, among }: { story: Story; among: Stories }) {
  const close = useClose("/spotlight");
  const top = useRef<HTMLParagraphElement>(null);
  const { previous, next } = neighboursOf(among.stories, story);

  // Reading starts at the top, not at the links below a long text.
  useEffect(() => top.current?.focus(), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another story begins at its top
  useEffect(() => {
    top.current?.closest("dialog")?.scrollTo(0, 0);
  }, [story.id]);

  return (
    <Dialog
      title={story.name}
      closeTo="/spotlight"
      onClose={close}
      className="w-[min(50rem,calc(100vw-2rem))]"
    >
      <p
        ref={top}
        tabIndex={-1}
        className="-mt-5 mb-6 font-mono text-sm text-ink-soft outline-none"
      >
        {story.industry}
      </p>
      <div className="grid overflow-hidden rounded-md border border-line md:grid-cols-[3fr_2fr]">
        <div className="self-center bg-well">
          <StoryPicture key={story.id} story={story} />
        </div>
        <dl className="grid grid-cols-1 divide-y divide-line border-t border-line md:border-t-0 md:border-l">
          <Metric name="Active Users" value={story.metrics.users} />
          <Metric name="Uptime" value={story.metrics.uptime} />
          <Metric name="Latency" value={story.metrics.latency} />
        </dl>
      </div>
      <div className="mt-7 grid gap-8 md:grid-cols-[3fr_2fr]">
        <div>
          <h3 className="text-lg">Overview</h3>
          {story.fullDescription.map((paragraph) => (
            <p key={paragraph} className="mt-3 text-ink-soft">
              {paragraph}
            </p>
          ))}
        </div>
        <div className="flex flex-col justify-between gap-8">
          <figure className="border-l-2 border-signal pl-6">
            <blockquote className="text-lg">“{story.testimonial.quote}”</blockquote>
            <figcaption className="mt-4 text-sm text-ink-soft">
              {story.testimonial.role}, {story.testimonial.author}
            </figcaption>
          </figure>
          <p className="text-sm text-ink-soft">{among.note}</p>
        </div>
      </div>
      <nav
        aria-label="Other stories"
        className="-mx-6 mt-7 -mb-6 flex flex-wrap justify-between gap-x-6 border-t border-line px-6 py-3 sm:-mx-8 sm:-mb-8 sm:px-8"
      >
        {previous ? <Other story={previous} direction="Previous" /> : null}
        {next ? <Other story={next} direction="Next" /> : null}
      </nav>
    </Dialog>
  );
}

function Metric({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 px-5 py-3 md:flex-col md:justify-center md:gap-1">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="font-mono text-xl tabular-nums">{value}</dd>
    </div>
  );
}

function Other({ story, direction }: { story: Story; direction: "Previous" | "Next" }) {
  const { state } = useLocation();
  return (
    <Link
      to={addressOf(story)}
      replace
      preventScrollReset
      state={state}
      className="group inline-flex min-h-11 items-center gap-2 text-ink-soft hover:text-ink"
    >
      {direction === "Previous" ? <ArrowIcon className="rotate-180" /> : null}
      <span className="sr-only">{direction}: </span>
      <span>{story.name}</span>
      {direction === "Next" ? <ArrowIcon /> : null}
    </Link>
  );
}
