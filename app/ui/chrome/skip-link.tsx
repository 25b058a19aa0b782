/** Shows when it has the focus, and leads past the navigation to the page's content. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="absolute top-2 left-2 z-50 -translate-y-20 rounded-md bg-signal px-4 py-2 text-on-signal focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
