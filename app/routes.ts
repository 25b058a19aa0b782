import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { docsPages } from "./content/reading.ts";

/** A page that is one markdown file of `app/content`. Many routes share a module, so each has an id. */
const markdownPage = (path: string) =>
  route(path, "routes/reading/markdown-page.tsx", { id: `markdown/${path}` });

/** Every URL of the product. */
export default [
  index("routes/marketing/home.tsx"),
  route("pricing", "routes/marketing/pricing.tsx"),
  route("pricing/own", "routes/marketing/own-plan.ts"),
  route("support", "routes/marketing/support.tsx"),
  route("contact", "routes/contact/contact.tsx"),
  route("contact/sent", "routes/contact/sent.tsx"),
  route("spotlight", "routes/marketing/spotlight.tsx"),
  route("cloud-architecture", "routes/marketing/cloud-architecture.tsx"),
  route("faq", "routes/marketing/faq.tsx"),

  route("services", "routes/marketing/services.tsx"),
  route("google-services", "routes/marketing/google-services.tsx"),
  route("google-services/connection", "routes/google-services/connection.ts"),
  route("google-services/connected", "routes/google-services/connected.ts"),
  route("google-services/call/:tool/:tab", "routes/google-services/call.ts"),
  route("openai-config", "routes/marketing/model-configuration.tsx"),
  route("openai-config/own", "routes/model-configuration/own.ts"),
  route("openai-config/usage", "routes/model-configuration/usage.ts"),

  route("docs", "routes/reading/docs-overview.tsx"),
  ...docsPages.filter(({ to }) => to !== "/docs").map(({ to }) => markdownPage(to.slice(1))),
  route("blog", "routes/blog/index.tsx"),
  route("blog/rss.xml", "routes/blog/rss.ts"),
  route("blog/:slug", "routes/blog/article.tsx"),
  markdownPage("about"),
  markdownPage("careers"),
  markdownPage("privacy"),
  markdownPage("terms"),
  markdownPage("cookies"),
  markdownPage("license"),

  route("signup", "routes/auth/signup.tsx"),
  route("signin", "routes/auth/signin.tsx"),
  route("signout", "routes/auth/signout.ts"),
  route("auth/refresh", "routes/auth/refresh.ts"),
  route("auth/callback", "routes/auth/callback.ts"),
  route("auth/connected", "routes/auth/connected.ts"),
  route("auth/confirm", "routes/auth/confirm.tsx"),
  route("success", "routes/checkout/success.tsx"),

  route("dashboard", "routes/dashboard/layout.tsx", [
    index("routes/dashboard/overview.tsx"),
    route("billing", "routes/dashboard/billing.tsx"),
    route("plan", "routes/dashboard/plan.tsx"),
    route("support", "routes/dashboard/support.tsx"),
    route("account", "routes/dashboard/account.tsx"),
    route("account/code", "routes/dashboard/account-code.tsx"),
    route("deployments", "routes/deployments/list.tsx"),
    route("deployments/new", "routes/deployments/new.tsx"),
    route("deployments/:id/edit", "routes/deployments/edit.tsx"),
    route("deployments/:id/duplicate", "routes/deployments/duplicate.tsx"),
    route("deployments/:id/delete", "routes/deployments/delete.tsx"),
    route("deployments/:id", "routes/deployments/deployment.tsx"),
    route("deployments/:id/unsaved", "routes/deployments/unsaved.ts"),
    route("deployments/:id/versions", "routes/deployments/versions.tsx"),
    route("deployments/:id/connect", "routes/deployments/connect.tsx"),
    route("deployments/:id/call", "routes/deployments/call.tsx"),
    route("*", "routes/dashboard/missing.tsx"),
  ]),
  route("dashboard/deployments/:id/files/:name", "routes/deployments/file.ts"),
  route("dashboard/deployments/:id/bundle.zip", "routes/deployments/bundle-zip.ts"),
  route("account-deleted", "routes/dashboard/account-deleted.tsx"),

  route("api/create-checkout-session", "routes/api/create-checkout-session.ts"),
  route("api/stripe/webhook", "routes/api/stripe-webhook.ts"),
  route("api/model-config", "routes/api/model-config.ts"),
  route("api/token-usage", "routes/api/token-usage.ts"),
  route("csp-reports", "routes/api/csp-reports.ts"),
  route("llms.txt", "routes/site-files/llms.ts"),
  route("robots.txt", "routes/site-files/robots.ts"),
  route("sitemap.xml", "routes/site-files/sitemap.ts"),
  route(".well-known/security.txt", "routes/site-files/security.ts"),
  route("healthz", "routes/api/healthz.ts"),
] satisfies RouteConfig;
