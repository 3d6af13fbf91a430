import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// Where `make run` listens; `npm run dev` passes the API on to it.
const HOUSE = "http://127.0.0.1:8710";

/** Fonts travel with their licences. */
const licences = (...fonts: string[]): Plugin => ({
  name: "licences",
  async generateBundle() {
    for (const font of fonts) {
      const source = await this.fs.readFile(`node_modules/@fontsource-variable/${font}/LICENSE`);
      this.emitFile({ type: "asset", fileName: `assets/licence-${font}.txt`, source });
    }
  },
});

export default defineConfig({
  plugins: [svelte(), licences("besley", "archivo")],
  build: {
    outDir: "../src/pitbook/web/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // The page's policy allows no inline scripts, and files are cached for good.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What the first visit needs is one file; screens that come later bring only what is theirs.
      output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } },
    },
  },
  server: {
    proxy: { "/api": { target: HOUSE, ws: true, changeOrigin: true, headers: { origin: HOUSE } } },
  },
  test: {
    environment: "node",
    include: ["src/**/*.test.ts"],
    css: true,
    testTimeout: 60_000,
    isolate: false,
  },
});
