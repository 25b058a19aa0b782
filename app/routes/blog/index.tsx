import { Link } from "react-router";
import { blog } from "~/content/reading";
import type { RouteHandle } from "~/http/route-handle";
import { readingMeta } from "~/seo/reading-meta";
import { TextLink } from "~/ui/primitives/text-link";
import { listArticles } from "~/ui/reading/pages.server";
import { Day } from "~/ui/reading/reading-page";
import { Search } from "~/ui/reading/search/search";
import type { Route } from "./+types/index";

export const meta: Route.MetaFunction = () => readingMeta(blog, "/blog");

export const links: Route.LinksFunction = () => [
  {
    rel: "alternate",
    type: "application/rss+xml",
    title: `${blog.author} ${blog.title}`,
    href: blog.feed,
  },
];

export const handle = { isPublic: true, isReading: true } satisfies RouteHandle;

export const loader = async ({ context }: Route.LoaderArgs) => ({
  articles: await listArticles(context),
});

export default function BlogIndex({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page py-16 lg:py-20">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-3xl">{blog.title}</h1>
        <Search className="w-full sm:w-56" />
      </div>
      <p className="mt-4 max-w-[35rem] text-lg text-ink-soft">{blog.description}</p>
      <ul className="mt-12 border-t border-line">
        {loaderData.articles.map(({ slug, title, description, date, minutes }) => (
          <li
            key={slug}
            className="grid gap-x-12 gap-y-2 border-b border-line py-8 lg:grid-cols-[11rem_minmax(0,42rem)]"
          >
            <p className="flex gap-4 text-sm text-ink-soft lg:block lg:pt-1">
              <Day date={date} className="lg:block" />
              <span>{minutes} min read</span>
            </p>
            <div>
              <h2 className="text-xl">
                <Link to={`/blog/${slug}`} className="hover:underline">
                  {title}
                </Link>
              </h2>
              <p className="mt-2 max-w-[35rem] text-ink-soft">{description}</p>
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-8 text-sm">
        <TextLink to={blog.feed} reloadDocument variant="standalone">
          New articles by RSS
        </TextLink>
      </p>
    </div>
  );
}
