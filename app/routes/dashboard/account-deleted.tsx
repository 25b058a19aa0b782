import { farewellWords } from "~/content/account";
import { pageTitle } from "~/seo/page-meta";
import { BrandMark } from "~/ui/chrome/brand";
import { LinkButton } from "~/ui/primitives/button";
import type { Route } from "./+types/account-deleted";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Account deleted") },
  { name: "robots", content: "noindex" },
];

/** The same for everybody: nobody is signed in any more. */
export function loader() {
  return { words: farewellWords };
}

export default function AccountDeleted({ loaderData: { words } }: Route.ComponentProps) {
  return (
    <div className="page py-20">
      <BrandMark className="mb-4" />
      <h1 className="text-2xl">{words.title}</h1>
      {words.lines.map((line) => (
        <p key={line} className="mt-4 max-w-prose">
          {line}
        </p>
      ))}
      <p className="mt-4 mb-8 max-w-prose text-ink-soft">{words.thanks}</p>
      <LinkButton to="/">{words.home}</LinkButton>
    </div>
  );
}
