import { useLocation } from "react-router";
import { stories, storiesNote } from "~/content/stories";
import { addressOf, storyAt } from "~/features/marketing/stories/story-address";
import { StoryCard } from "~/features/marketing/stories/story-card";
import { StoryDialog } from "~/features/marketing/stories/story-dialog";
import type { RouteHandle } from "~/http/route-handle";
import { pageMeta } from "~/seo/page-meta";
import { PageIntro } from "~/ui/primitives/page-intro";
import type { Route } from "./+types/spotlight";

const overviewTitle = "Customer success stories";

export const meta: Route.MetaFunction = ({ location }) => {
  const story = storyAt(location.search);
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

export default function Spotlight() {
  const { search } = useLocation();
  const story = storyAt(search);

  return (
    <div className="page">
      <PageIntro title="Customer Success Stories">
        <p>What people build on a LiveKit server of their own, in six industries.</p>
        <p className="mt-3 text-sm">{storiesNote}</p>
      </PageIntro>
      <ul className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
        {stories.map((each, at) => (
          <StoryCard key={each.id} story={each} isFirst={at === 0} />
        ))}
      </ul>
      {story ? <StoryDialog story={story} /> : null}
    </div>
  );
}
