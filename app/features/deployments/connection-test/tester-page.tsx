import { brand } from "~/content/chrome";
import { BrandMark } from "~/ui/chrome/brand";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import { LinkedTest } from "./linked-test-view";
import type { TesterView } from "./tester.server";

/** The page of a test that somebody without an account runs. Nothing leads from it to another page in this document. */
export function TesterPage({ view, isFramed }: { view: TesterView; isFramed?: true }) {
  return (
    <main className={`page flex items-start justify-center ${isFramed ? "py-6" : "pt-12 pb-20"}`}>
      <div className="w-full max-w-prose">
        <p className="mb-6 flex items-center gap-2.5 font-strong">
          <BrandMark />
          {brand}
        </p>
        <h1 className="text-2xl">Connection test</h1>
        {view.server ? (
          <LinkedTest server={view.server} isFramed={isFramed} />
        ) : (
          <Message kind="failure" className="mt-5">
            {view.message}
          </Message>
        )}
        <p className="mt-10 text-sm">
          {/* A frame cannot show it: no other page of ours may be framed. */}
          <TextLink
            to="/privacy"
            reloadDocument
            {...(isFramed ? { target: "_blank", rel: "noreferrer" } : {})}
          >
            {isFramed ? "Privacy (in a new tab)" : "Privacy"}
          </TextLink>
        </p>
      </div>
    </main>
  );
}
