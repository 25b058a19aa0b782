import { useEffect, useRef, useState } from "react";
import type { GivenFile } from "~/features/audit/files/audited-file";
import type { MoveIn } from "./move-in";

/** The files of a page that moves in, in its memory alone, and what was found in them. */
export function useMoveIn() {
  const files = useRef<GivenFile[]>([]);
  const [found, setFound] = useState<MoveIn>();
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    // Only here: the server has no tab.
    void import("./memory.client").then(({ remembered }) =>
      setFound((before) => before ?? remembered()),
    );
  }, []);
  const show = async () => {
    try {
      const [{ moveIn }, { remember }] = await Promise.all([
        import("./move-in.client"),
        import("./memory.client"),
      ]);
      const next = files.current.length > 0 ? moveIn(files.current) : undefined;
      remember(next);
      setFound(next);
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  /** A file that is given again replaces the one of before. */
  const add = (given: readonly GivenFile[]) => {
    const names = new Set(given.map(({ name }) => name));
    files.current = [...files.current.filter(({ name }) => !names.has(name)), ...given];
    return show();
  };
  return {
    found,
    isFailed,
    add,
    addFiles: async (list: Iterable<File>) => {
      // A field that is emptied empties its list too.
      const chosen = [...list];
      try {
        const { textOfFile } = await import("./move-in.client");
        await add(await Promise.all(chosen.map(textOfFile)));
      } catch {
        setFailed(true);
      }
    },
    clear: () => {
      files.current = [];
      return show();
    },
  };
}
