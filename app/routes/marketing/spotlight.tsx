import { useLocation } from "react-router";
import { PageIntro } from "~/components/page-intro";
import { pageMeta, sharePicture } from "~/components/page-meta";
import { stories, storiesNote } from "~/content/stories";
import { publicPage } from "~/request/cache-policies";
import { addressOf, storyAt } from "~/stories/story-address";
import { StoryCard } from "~/stories/story-card";
import { StoryDialog } from "~/stories/story-dialog";
import type { Route } from "./+types/spotlight";

export const meta: Route.MetaFunction = ({ location }) => {
  const story = storyAt(location.search);
  return pageMeta({
    title: story ? `${story.name}: a customer story` : "Customer success stories",
    description:
      story?.description ??
      "What people build on a LiveKit server of their own, in education, healthcare, enterprise, gaming, events and security.",
    path: story ? addressOf(story) : "/spotlight",
    image: sharePicture("/spotlight"),
  });
};

export const headers: Route.HeadersFunction = () => publicPage;

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
        {stories.map((each) => (
          <StoryCard key={each.id} story={each} />
        ))}
      </ul>
      {story ? <StoryDialog story={story} /> : null}
    </div>
  );
}
