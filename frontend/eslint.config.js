import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
    { ignores: ["node_modules", "src/**/schema.d.ts"] },
    js.configs.recommended,
    ...ts.configs.strict,
    ...svelte.configs.recommended,
    {
        languageOptions: { globals: globals.browser },
        rules: {
            eqeqeq: "error",
            "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
            complexity: ["error", 12],
            "no-undef": "off", // The type checker reports these.
            "@typescript-eslint/no-non-null-assertion": "error",
        },
    },
    { files: ["*.js"], languageOptions: { globals: globals.node } },
    {
        files: ["**/*.svelte", "**/*.svelte.ts"],
        languageOptions: { parserOptions: { parser: ts.parser } },
    },
);
