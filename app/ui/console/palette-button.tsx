import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { paletteWords as words } from "~/content/console";
import { Icon } from "~/ui/primitives/icons";

/** Loaded when somebody opens it. */
const Palette = lazy(() => import("./palette.client").catch(() => ({ default: NotLoaded })));

/**
 * Opens the command palette, as Ctrl+K does, and Command+K on a Mac. Without script it is not there. `base` is what the
 * addresses begin with that it leads to.
 */
export function PaletteButton({ base }: { base: string }) {
  const [isOpen, setIsOpen] = useState(false);
  // What the server sends has to be the same for everybody.
  const isApple = useSyncExternalStore(neverChanges, isAppleDevice, () => false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      // On a Mac Ctrl+K deletes to the end of the line.
      if (event.key !== "k" || !(isAppleDevice() ? event.metaKey : event.ctrlKey)) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener("keydown", open);
    return () => document.removeEventListener("keydown", open);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts={isApple ? "Meta+K" : "Control+K"}
        onClick={() => setIsOpen(true)}
        className="ml-auto inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-2.5 rounded-md px-2.5 text-sm whitespace-nowrap text-ink-soft not-scripted:hidden hover:bg-well hover:text-ink md:min-h-9 md:border md:border-line-strong"
      >
        <Icon width="18" height="18">
          <path d="M16 16l4.5 4.5M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z" />
        </Icon>
        <span className="max-md:sr-only">{words.open}</span>
        <span aria-hidden="true" className="font-mono max-md:hidden">
          {isApple ? "⌘K" : "Ctrl K"}
        </span>
      </button>
      {isOpen ? (
        <Suspense>
          <Palette base={base} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

const neverChanges = () => () => {};

function isAppleDevice(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

function NotLoaded() {
  return (
    <p role="alert" className="text-sm text-failure">
      {words.notLoaded}
    </p>
  );
}
