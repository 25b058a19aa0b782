import type { Story } from "~/content/stories";

/** Addresses with a fingerprint, never inlined: a hidden lazy picture is then not even fetched. */
const drawings = import.meta.glob<string>("../../../content/stories/*.svg", {
  query: "?url&no-inline",
  import: "default",
  eager: true,
});

/**
 * The drawing of a story. One file holds both themes, selected by `#dark`: a picture cannot see
 * the page's theme. As SVG it is sharp at every size and takes 1.3 to 1.6 kB on the wire for both;
 * as AVIF it took 13 to 24 kB for each.
 */
export function StoryPicture({
  story,
  isFirst = false,
  className = "",
}: {
  story: Story;
  /** Whether it is in view as the page opens: it is then fetched at once, ahead of the scripts. */
  isFirst?: boolean;
  className?: string;
}) {
  const drawing = drawings[`../../../content/stories/${story.id}.svg`];
  return (
    <>
      <img
        src={drawing}
        alt={story.scene}
        width={640}
        height={400}
        loading={isFirst ? "eager" : "lazy"}
        fetchPriority={isFirst ? "high" : undefined}
        className={`block h-auto w-full dark:hidden ${className}`}
      />
      <img
        src={`${drawing}#dark`}
        alt={story.scene}
        width={640}
        height={400}
        loading={isFirst ? "eager" : "lazy"}
        fetchPriority={isFirst ? "high" : undefined}
        className={`hidden h-auto w-full dark:block ${className}`}
      />
    </>
  );
}
