import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [cloudflare({ configPath: process.env.WORKER_CONFIG, persistState: process.env.WORKER_STATE ? { path: process.env.WORKER_STATE } : true, viteEnvironment: { name: "ssr" } }), tailwindcss(), reactRouter()],
  resolve: { tsconfigPaths: true },
  // Server output is not minified by default; the upload budget counts it.
  environments: { ssr: { build: { minify: true } } },
});
