import { useEffect, useRef, useState } from "react";
import type { GivenFile } from "~/features/audit/files/audited-file";
import type { MoveIn } from "./move-in";

const none: Promise<MoveIn | undefined> = Promise.resolve(undefined);

/**
 * The files of a page that moves in, in its memory alone, and what was found in them. What an earlier page of this tab
 * found stays until a configuration of LiveKit is given anew: its files are gone, and a further one says little alone.
 */
export function useMoveIn() {
  const files = useRef<GivenFile[]>([]);
  const memory = useRef(none);
  const [remembered, setRemembered] = useState<MoveIn>();
  const [read, setRead] = useState<MoveIn>();
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    // Only here: the server has no tab.
    memory.current = import("./memory.client").then(({ remembered }) => remembered());
    memory.current.then(setRemembered, () => setFailed(true));
  }, []);
  const show = async () => {
    try {
      const [{ moveIn }, { remember }, former] = await Promise.all([
        import("./move-in.client"),
        import("./memory.client"),
        memory.current,
      ]);
      const next = files.current.length > 0 ? moveIn(files.current) : undefined;
      if (next?.isFound || !former?.isFound) {
        memory.current = none;
        setRemembered(undefined);
        remember(next);
      }
      setRead(next);
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
    found: remembered ?? read,
    /** What the files of this page alone say, where what was found before stays beside it. */
    addition: remembered && read,
    isRemembered: remembered !== undefined,
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
      memory.current = none;
      return show();
    },
  };
}
