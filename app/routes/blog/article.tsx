import { Link } from "react-router";
import { blog } from "~/content/reading";
import type { RouteHandle } from "~/http/route-handle";
import { absoluteUrl, pageMeta, sharePicture, type Thing } from "~/seo/page-meta";
import { breadcrumbList, markdownAlternate } from "~/seo/reading-meta";
import { type Article, listArticles, loadPage } from "~/ui/reading/pages.server";
import { Day, ReadingPage } from "~/ui/reading/reading-page";
import { Search } from "~/ui/reading/search/search";
import { BeforeAndAfter } from "~/ui/reading/sibling-pages";
import type { Route } from "./+types/article";

export const meta: Route.MetaFunction = ({ loaderData, params }) => {
  if (!loaderData) return [];
  const { title, description, date } = loaderData.page;
  const path = `/blog/${params.slug}`;
  const image = sharePicture(path);
  return [
    ...pageMeta({
      title,
      description,
      path,
      type: "article",
      structured: [
        blogPosting({ title, description, path, image, published: date, author: blog.author }),
        breadcrumbList([
          { name: "Home", path: "/" },
          { name: blog.title, path: "/blog" },
          { name: title, path },
        ]),
      ],
    }),
    markdownAlternate(path),
  ];
};

export const handle = { isPublic: true, isReading: true } satisfies RouteHandle;

/** An address that names no article is a 404. */
export async function loader(args: Route.LoaderArgs) {
  const page = await loadPage(`blog/${args.params.slug}`, args);
  const articles = await listArticles(args.context);
  const place = articles.findIndex(({ slug }) => slug === args.params.slug);
  return { page, newer: linkTo(articles[place - 1]), older: linkTo(articles[place + 1]) };
}

function linkTo(article: Article | undefined) {
  return article && { to: `/blog/${article.slug}`, label: article.title };
}

export default function BlogArticle({ loaderData, params }: Route.ComponentProps) {
  const { page, newer, older } = loaderData;
  const path = `/blog/${params.slug}`;
  return (
    <ReadingPage
      page={page}
      rail={
        <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm text-ink-soft lg:flex-col">
          <Search className="w-full" />
          <Link
            to="/blog"
            className="inline-flex min-h-11 items-center text-ink hover:underline lg:mb-3 lg:min-h-9 print:hidden"
          >
            ← All articles
          </Link>
          <Day date={page.date} />
          <span>{blog.author}</span>
          <span>{page.minutes} min read</span>
        </div>
      }
      markdown={`${path}.md`}
      after={<BeforeAndAfter label="More articles" before={newer} after={older} />}
    />
  );
}

/** An article of the blog. */
function blogPosting({
  title,
  description,
  path,
  image,
  published,
  author,
}: {
  title: string;
  description: string;
  path: string;
  image: string;
  /** The day, as in `2026-11-21`. */
  published: string;
  /** The organization that wrote it. */
  author: string;
}) {
  const writer = { "@type": "Organization", name: author, url: absoluteUrl("/") };
  return {
    "@type": "BlogPosting",
    headline: title,
    description,
    url: absoluteUrl(path),
    mainEntityOfPage: absoluteUrl(path),
    image: absoluteUrl(image),
    datePublished: published,
    author: writer,
    publisher: writer,
  } satisfies Thing;
}
