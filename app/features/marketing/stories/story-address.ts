import type { Story } from "~/content/stories";

export const storyParameter = "story";

/** The story that an address of /spotlight shows; an unknown one shows none. */
export function storyAt(stories: readonly Story[], search: string): Story | undefined {
  const id = new URLSearchParams(search).get(storyParameter);
  return stories.find((story) => story.id === id);
}

/** Where a story is shown; `storyAt` reads it back. */
export const addressOf = (story: Story) => `/spotlight?${storyParameter}=${story.id}`;

/** The stories before and after one; they go round. */
export function neighboursOf(stories: readonly Story[], story: Story) {
  const at = stories.indexOf(story);
  return { previous: stories.at(at - 1), next: stories[(at + 1) % stories.length] };
}
