/** Says that something is under way; the words beside it say what. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-6 animate-spin rounded-full border-2 border-line border-t-signal"
    />
  );
}
