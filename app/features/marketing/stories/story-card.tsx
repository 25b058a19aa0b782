import { Form } from "react-router";
import type { Story } from "~/content/stories";
import { Card } from "~/ui/primitives/card";
import { ArrowIcon } from "~/ui/primitives/icons";
import { openedHere } from "~/ui/primitives/use-close";
import { storyParameter } from "./story-address";
import { StoryPicture } from "./story-picture";

/** A story in the grid. The whole card is the button's: pressing it anywhere opens the story. */
export function StoryCard({ story, isFirst }: { story: Story; isFirst: boolean }) {
  const heading = `story-${story.id}`;
  return (
    <Card
      as="li"
      flush
      aria-labelledby={heading}
      className="group relative flex flex-col overflow-hidden transition-colors hover:border-line-strong"
    >
      <div className="border-b border-line bg-well">
        <StoryPicture story={story} isFirst={isFirst} />
      </div>
      <div className="flex grow flex-col p-6">
        <p className="font-mono text-sm text-ink-soft">{story.industry}</p>
        <h2 id={heading} className="mt-1 text-xl">
          {story.name}
        </h2>
        <p className="mt-2 grow text-ink-soft">{story.description}</p>
        <Form method="get" action="/spotlight" preventScrollReset state={openedHere}>
          <button
            type="submit"
            name={storyParameter}
            value={story.id}
            className="mt-3 -mb-2 inline-flex min-h-11 items-center gap-2 font-strong after:absolute after:inset-0"
          >
            <span>Learn more</span>
            <span className="sr-only"> about {story.name}</span>
            <ArrowIcon className="text-signal transition-transform group-hover:translate-x-1" />
          </button>
        </Form>
      </div>
    </Card>
  );
}
