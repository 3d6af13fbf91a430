// Generate the types of all messages from the catalogs: a misspelled key or a missing field fails to compile.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

import { LISTS, placeholders, splitTags } from "./src/words/templates.ts";

const FOLDER = new URL("./src/words/", import.meta.url);
const KINDS = {
    "": "string | number",
    plural: "number",
    select: "string | number | boolean",
    money: "string",
    count: "number | bigint",
    number: "number",
    capital: "string",
    quoted: "string | number",
    symbol: "string",
    card: "string",
};

function textsOf(language) {
    const folder = new URL(`${language}/`, FOLDER);
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return files
        .filter((name) => name !== "format.json")
        .flatMap((name) => {
            const texts = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
            const area = name.replace(".json", "");
            return Object.entries(texts).map(([key, text]) => [`${area}.${key}`, text]);
        });
}

function kindOf(part, key) {
    const name = "cases" in part ? part.kind : part.format;
    const list = LISTS.includes(name);
    const kind = KINDS[list ? part.each : name];
    if (!kind) throw new Error(`${key}: there is no format "${list ? part.each : name}"`);
    return list ? `readonly (${kind})[]` : kind;
}

const languages = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
);
const keys = {};
for (const { name } of languages) {
    for (const [key, text] of textsOf(name)) {
        const { fields, tags } = (keys[key] ??= { fields: {}, tags: new Set() });
        for (const { tag, parts } of splitTags(text)) {
            if (tag !== null) tags.add(tag);
            for (const part of placeholders(parts))
                (fields[part.field] ??= new Set()).add(kindOf(part, key));
        }
    }
}

const fieldsOf = (fields) =>
    Object.keys(fields).length === 0
        ? "Record<never, never>"
        : `{ ${Object.entries(fields)
              .map(
                  ([field, kinds]) =>
                      `${field}: ${[...kinds].map((kind) => `(${kind})`).join(" & ")}`,
              )
              .join("; ")} }`;
const plain = Object.entries(keys).filter(([, { tags }]) => tags.size === 0);
const marked = Object.entries(keys).filter(([, { tags }]) => tags.size > 0);
const lines = [
    "export interface Plain {",
    ...plain.map(([key, { fields }]) => `  ${JSON.stringify(key)}: ${fieldsOf(fields)};`),
    "}",
    "export interface Marked {",
    ...marked.map(([key, { fields, tags }]) => {
        const names = [...tags].map((tag) => JSON.stringify(tag)).join(" | ");
        return `  ${JSON.stringify(key)}: { fields: ${fieldsOf(fields)}; tags: ${names} };`;
    }),
    "}",
];
writeFileSync(new URL("schema.d.ts", FOLDER), `${lines.join("\n")}\n`);
