import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Every URL of the product. */
export default [
  index("routes/marketing/home.tsx"),
  route("pricing", "routes/marketing/pricing.tsx"),
  route("support", "routes/marketing/support.tsx"),
  route("contact", "routes/contact/contact.tsx"),
  route("contact/sent", "routes/contact/sent.tsx"),
  route("spotlight", "routes/marketing/spotlight.tsx"),
  route("cloud-architecture", "routes/marketing/cloud-architecture.tsx"),
  route("faq", "routes/marketing/faq.tsx"),

  route("services", "routes/marketing/services.tsx"),
  route("google-services", "routes/marketing/google-services.tsx"),
  route("openai-config", "routes/marketing/model-configuration.tsx"),

  route("docs", "routes/docs/overview.tsx"),
  route("docs/getting-started", "routes/docs/getting-started.tsx"),
  route("docs/api", "routes/docs/api.tsx"),
  route("docs/best-practices", "routes/docs/best-practices.tsx"),
  route("blog", "routes/blog/index.tsx"),
  route("blog/rss.xml", "routes/blog/rss.ts"),
  route("blog/:slug", "routes/blog/article.tsx"),
  route("about", "routes/marketing/about.tsx"),
  route("careers", "routes/marketing/careers.tsx"),
  route("privacy", "routes/marketing/privacy.tsx"),
  route("terms", "routes/marketing/terms.tsx"),
  route("cookies", "routes/marketing/cookies.tsx"),
  route("license", "routes/marketing/license.tsx"),

  route("signup", "routes/auth/signup.tsx"),
  route("signin", "routes/auth/signin.tsx"),
  route("signout", "routes/auth/signout.ts"),
  route("auth/refresh", "routes/auth/refresh.ts"),
  route("auth/callback", "routes/auth/callback.ts"),
  route("auth/confirm", "routes/auth/confirm.tsx"),
  route("success", "routes/checkout/success.tsx"),

  route("dashboard", "routes/dashboard/layout.tsx", [
    index("routes/dashboard/overview.tsx"),
    route("billing", "routes/dashboard/billing.ts"),
    route("account", "routes/dashboard/account.tsx"),
    route("account/code", "routes/dashboard/account-code.tsx"),
  ]),
  route("account-deleted", "routes/dashboard/account-deleted.tsx"),

  route("api/create-checkout-session", "routes/api/create-checkout-session.ts"),
  route("api/stripe/webhook", "routes/api/stripe-webhook.ts"),
  route("robots.txt", "routes/site-files/robots.ts"),
  route("sitemap.xml", "routes/site-files/sitemap.ts"),
  route(".well-known/security.txt", "routes/site-files/security.ts"),
  route("healthz", "routes/api/healthz.ts"),
] satisfies RouteConfig;
