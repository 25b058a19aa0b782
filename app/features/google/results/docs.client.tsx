import { TextLink } from "~/ui/primitives/text-link";
import type { DocumentPage } from "../tools/docs.server";
import { MorePages } from "./more-pages.client";
import type { ToolViews, ViewProps } from "./view";

function DocumentList({ result, ...view }: ViewProps) {
  if (!result) return null;
  return (
    <MorePages first={result as DocumentPage} {...view}>
      {(pages) => {
        const documents = pages.flatMap((page) => page.documents);
        return documents.length > 0 ? (
          <ul aria-label="Documents">
            {documents.map(({ id, title, modified, href }) => (
              <li key={id} className="border-t border-line py-2">
                <TextLink to={href} target="_blank" rel="noreferrer">
                  {title || "Untitled document"}
                </TextLink>
                {modified ? (
                  <span className="text-ink-soft"> (changed {modified.slice(0, 10)})</span>
                ) : null}
                <p className="font-mono text-sm break-all text-ink-soft">{id}</p>
              </li>
            ))}
          </ul>
        ) : (
          <p>There are no documents to show.</p>
        );
      }}
    </MorePages>
  );
}

/** The views of the tabs of Document Management. */
export const docsViews: ToolViews = {
  list: { Result: DocumentList },
  search: { Result: DocumentList },
};
