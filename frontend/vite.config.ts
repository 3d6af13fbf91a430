import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// Address of `make run`; `npm run dev` proxies the API to it.
const HOUSE = "http://127.0.0.1:8710";

/** Bundle the fonts' licenses, in one file because most of their text is the same. */
const licenses = (...fonts: string[]): Plugin => ({
  name: "licenses",
  async generateBundle() {
    const texts = fonts.map((font) =>
      this.fs.readFile(`node_modules/@fontsource-variable/${font}/LICENSE`, { encoding: "utf8" }),
    );
    const source = (await Promise.all(texts)).join("\n\n");
    this.emitFile({ type: "asset", fileName: "assets/font-licenses.txt", source });
  },
});

/** Fail the build if it takes in a package whose license is not in the notice. */
const notices = (): Plugin => ({
  name: "notices",
  async generateBundle(_, bundle) {
    const listed = await this.fs.readFile("../THIRD_PARTY_NOTICES.txt", { encoding: "utf8" });
    for (const file of Object.values(bundle)) {
      for (const id of file.type === "chunk" ? file.moduleIds : []) {
        const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
        if (name && !listed.includes(`\n  ${name} `)) {
          this.error(`add ${name} to BUNDLED in requirements/notices.py, then run make notices`);
        }
      }
    }
  },
});

export default defineConfig({
  plugins: [svelte(), licenses("besley", "archivo"), notices()],
  build: {
    outDir: "../src/pitbook/house/web/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // The content security policy allows no inline scripts, and files are cached permanently.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The first visit needs one file. Each other screen loads only its own code.
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
