/** One entry of a menu in the console's header. */
export const menuLine =
  "flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-left hover:bg-well focus-visible:-outline-offset-2";

/** The box that such a menu opens, below its button. */
export const menuPanel =
  "absolute z-40 mt-2 rounded-md border border-line-strong bg-raised p-2 text-ink";
