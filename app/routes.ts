import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Every URL of the product. */
export default [
  index("routes/marketing/home.tsx"),
  route("pricing", "routes/marketing/pricing.tsx"),

  route("signup", "routes/auth/signup.tsx"),
  route("signin", "routes/auth/signin.tsx"),
  route("signout", "routes/auth/signout.ts"),
  route("auth/callback", "routes/auth/callback.ts"),
  route("success", "routes/checkout/success.tsx"),

  route("dashboard", "routes/dashboard/layout.tsx", [
    index("routes/dashboard/overview.tsx"),
    route("billing", "routes/dashboard/billing.ts"),
  ]),

  route("api/create-checkout-session", "routes/api/create-checkout-session.ts"),
  route("api/stripe/webhook", "routes/api/stripe-webhook.ts"),
  route("healthz", "routes/api/healthz.ts"),
] satisfies RouteConfig;
