import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
    preprocess: vitePreprocess(),
    compilerOptions: {
        // The default is twice as long, and the page's size has a limit.
        cssHash: ({ hash, filename }) => `s${hash(filename).slice(0, 5)}`,
    },
};
