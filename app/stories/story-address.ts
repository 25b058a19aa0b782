import { useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { type Story, stories } from "~/content/stories";

export const storyParameter = "story";

/** The story that an address of /spotlight shows; an unknown one shows none. */
export function storyAt(search: string): Story | undefined {
  const id = new URLSearchParams(search).get(storyParameter);
  return stories.find((story) => story.id === id);
}

export const addressOf = (story: Story) => `/spotlight?${storyParameter}=${story.id}`;

/** The stories before and after one; they go round. */
export function neighboursOf(story: Story) {
  const at = stories.indexOf(story);
  return { previous: stories.at(at - 1), next: stories[(at + 1) % stories.length] };
}

/** Travels with the history entry of a story that was opened from its card. */
export const openedFromCard = { openedFromCard: true };

/**
 * Closes the story: back to the cards where it was opened from them, so that Back does not open it
 * again; otherwise, after following a link to it, the cards take its place.
 */
export function useCloseStory() {
  const location = useLocation();
  const navigate = useNavigate();
  const leaving = useRef<string>(undefined);
  return () => {
    if (leaving.current === location.key) return;
    leaving.current = location.key;
    if (cameFromCard(location.state)) navigate(-1);
    else navigate("/spotlight", { replace: true, preventScrollReset: true });
  };
}

function cameFromCard(state: unknown): boolean {
  return typeof state === "object" && state !== null && "openedFromCard" in state;
}
