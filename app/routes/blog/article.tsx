import { Link } from "react-router";
import { pageMeta, sharePicture } from "~/components/page-meta";
import { Day, ReadingPage } from "~/components/reading/reading-page";
import { BeforeAndAfter } from "~/components/reading/sibling-pages";
import { type Article, listArticles, loadPage } from "~/content/markdown/pages.server";
import { blog } from "~/content/reading";
import { publicPage } from "~/request/cache-policies";
import { blogPosting } from "~/structured-data/blog-posting";
import { breadcrumbList } from "~/structured-data/breadcrumb-list";
import type { Route } from "./+types/article";

export const meta: Route.MetaFunction = ({ loaderData, params }) => {
  if (!loaderData) return [];
  const { title, description, date } = loaderData.page;
  const path = `/blog/${params.slug}`;
  const image = sharePicture(path);
  return pageMeta({
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
  });
};

export const headers = ({ errorHeaders }: Route.HeadersArgs) => errorHeaders ?? publicPage;

/** An address that names no article is a 404. */
export async function loader(args: Route.LoaderArgs) {
  const page = await loadPage(`blog/${args.params.slug}`, args);
  const articles = listArticles();
  const place = articles.findIndex(({ slug }) => slug === args.params.slug);
  return { page, newer: linkTo(articles[place - 1]), older: linkTo(articles[place + 1]) };
}

function linkTo(article: Article | undefined) {
  return article && { to: `/blog/${article.slug}`, label: article.title };
}

export default function BlogArticle({ loaderData }: Route.ComponentProps) {
  const { page, newer, older } = loaderData;
  return (
    <ReadingPage
      page={page}
      rail={
        <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm text-ink-soft lg:flex-col">
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
      after={<BeforeAndAfter label="More articles" before={newer} after={older} />}
    />
  );
}
