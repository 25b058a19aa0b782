/** Where the product's rules are, and which features' tests meet them from outside. */
export type Area = { name: string; files: readonly string[]; features: readonly string[] };

export const areas: readonly Area[] = [
  {
    name: "money",
    files: ["app/features/billing/**/*.ts", "supabase/migrations/*billing*.sql"],
    // A customer belongs to a workspace, whose tests hold the SQL of both.
    features: ["billing", "workspaces"],
  },
  {
    name: "rights",
    files: [
      "app/routes/{action-rules,guard-actions}.server.ts",
      "app/features/workspaces/**/*.server.ts",
      "app/platform/database/{role-rights,quotas}.ts",
      "supabase/migrations/*workspaces*.sql",
    ],
    features: ["workspaces", "security"],
  },
  {
    name: "bundle",
    files: ["app/features/deployments/bundle/**/*.{ts,sh}"],
    features: ["deployments"],
  },
  {
    name: "incidents",
    files: ["app/features/servers/{incidents,notifications,state}/*.ts"],
    features: ["servers"],
  },
  {
    name: "cache",
    files: ["workers/page-cache/*.ts", "app/http/{shared-answers.server,hashes}.ts"],
    features: ["http", "site"],
  },
];
