import searchIndex from "virtual:search-index";
import { Button, IconButton } from "~/ui/primitives/button";
import { CloseIcon, Icon } from "~/ui/primitives/icons";
import { TextLink } from "~/ui/primitives/text-link";
import "./search.client";

/**
 * The button that opens the search of documentation and blog, and its dialog, once on a page. `search.client.ts` opens
 * it, `search-dialog.client.ts` fills it. Without script there is neither.
 */
export function Search({ className = "" }: { className?: string }) {
  return (
    <>
      <Button
        variant="secondary"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className={`px-3.5 text-sm not-scripted:hidden print:hidden ${className}`}
        data-opens-search
      >
        <Icon width="18" height="18">
          <path d="M16 16l4.5 4.5M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z" />
        </Icon>
        <span className="grow text-left">Search</span>
        <span
          aria-hidden="true"
          className="hidden whitespace-nowrap font-mono text-ink-soft lg:inline"
        >
          Ctrl K
        </span>
      </Button>
      <dialog
        aria-label="Search"
        closedby="any"
        className="dialog group mt-4 flex-col overflow-hidden open:flex sm:mt-[10dvh] sm:max-h-[80dvh] sm:w-[min(40rem,calc(100vw-2rem))]"
        data-index={searchIndex}
      >
        <div className="flex items-center gap-2 border-b border-line p-2">
          <input
            type="search"
            aria-label="Search documentation, blog and site"
            placeholder="Words, or a question"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="go"
            className="min-h-11 w-full min-w-0 rounded-md px-3 text-base placeholder:text-ink-soft focus-visible:-outline-offset-2 [&::-webkit-search-cancel-button]:hidden"
          />
          <form method="dialog">
            <IconButton type="submit" aria-label="Close">
              <CloseIcon />
            </IconButton>
          </form>
        </div>
        <div className="min-h-24 overflow-y-auto overscroll-contain p-2">
          <p className="hidden px-3 py-1.5 text-ink-soft group-data-[state=loading]:block">
            Loading the search…
          </p>
          <p role="status" className="px-3 py-1.5 text-sm text-ink-soft" />
          <ul aria-label="Results" />
          <p className="hidden px-3 py-1.5 group-data-[state=empty]:block">
            Try fewer or other words, look through <TextLink to="/docs">all pages</TextLink>, or{" "}
            <TextLink to="/support">ask us</TextLink>.
          </p>
          <div role="alert" className="hidden px-3 py-1.5 group-data-[state=failed]:block">
            <p className="mb-3">
              The search could not be loaded. You may be offline. If not, load the page again: the
              site may have changed since.
            </p>
            <Button variant="secondary" data-opens-search>
              Try again
            </Button>
          </div>
        </div>
      </dialog>
    </>
  );
}
