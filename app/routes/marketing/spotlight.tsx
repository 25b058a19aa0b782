import { type ShouldRevalidateFunctionArgs, useLocation } from "react-router";
import { storyTexts } from "~/features/marketing/page-texts.server";
import { addressOf, storyAt } from "~/features/marketing/stories/story-address";
import { StoryCard } from "~/features/marketing/stories/story-card";
import { StoryDialog } from "~/features/marketing/stories/story-dialog";
import { TryConsole } from "~/features/marketing/try-console";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import { pageMeta } from "~/seo/page-meta";
import { PageIntro } from "~/ui/primitives/page-intro";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/spotlight";

const overviewTitle = "Customer success stories";

export const meta: Route.MetaFunction = ({ location, loaderData }) => {
  const story = storyAt(loaderData?.stories ?? [], location.search);
  return pageMeta({
    title: story ? `${story.name}: a customer story` : overviewTitle,
    description:
      story?.description ??
      "What people build on a LiveKit server of their own, in education, healthcare, enterprise, gaming, events and security.",
    path: story ? addressOf(story) : "/spotlight",
    pictured: { title: overviewTitle, path: "/spotlight" },
  });
};

export const handle = { isPublic: true } satisfies RouteHandle;

/** Every word of the page is in its document already: the script does not bring it again. */
export const loader = ({ context }: Route.LoaderArgs) => storyTexts(context.get(appContext));

/** Opening a story changes the address, not the words. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname;
}

export default function Spotlight({ loaderData }: Route.ComponentProps) {
  const { search } = useLocation();
  const { note, stories } = loaderData;
  const story = storyAt(stories, search);

  return (
    <div className="page">
      <PageIntro title="Customer Success Stories">
        <p>What people build on a LiveKit server of their own, in six industries.</p>
        <p className="mt-3 text-sm">{note}</p>
      </PageIntro>
      <section
        aria-labelledby="repeatable"
        className="mb-16 grid gap-x-12 gap-y-6 border-y border-line-strong py-8 lg:grid-cols-[2fr_1fr]"
      >
        <div>
          <h2 id="repeatable" className="text-xl">
            First what you can repeat yourself
          </h2>
          <p className="mt-3 max-w-prose text-ink-soft">
            A console of your own with three simulated servers: one boots before your eyes, one is
            down and waits for somebody. And each figure that we measured, with the command that
            measures it again.
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <TryConsole />
          <TextLink to="/proof" variant="standalone">
            What we measured
          </TextLink>
        </div>
      </section>
      <ul className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
        {stories.map((each, at) => (
          <StoryCard key={each.id} story={each} isFirst={at === 0} />
        ))}
      </ul>
      {story ? <StoryDialog story={story} among={loaderData} /> : null}
    </div>
  );
}
