/** Text for people is in a catalog, not in the code. */

import { parse } from "svelte/compiler";
import { expect, test } from "vitest";

const SOURCES = import.meta.glob<string>(
  ["../**/*.{ts,svelte}", "!../**/*.test.ts", "!../**/schema*"],
  { query: "?raw", import: "default", eager: true },
);

/** Text in code that is not for people, or is the same in every language. */
const ALLOWED = [
  // Key derivation contexts of docs/verify-a-deal.md.
  "pitbook deal 1",
  "pitbook order 2",
  // Field names, and reasons that the page does not show.
  "title kind sheet seats ends enter_until_level higher_limit buy_in re_buy add_on levels prizes",
  "costs fee chips",
  "costs fee chips player_max until_level chips_max",
  "minutes break_after limits",
  "min max",
  "entrants shares",
  "a table in a field",
  "no table",
  // Errors for translators.
  "a brace closes nothing:",
  "a brace opens no blank:",
  "a case is not closed:",
  'a choice ends with "other" and a brace:',
  // Languages by their own names.
  "English",
  "Español",
  // Cards, keys, headers, page positions, and style values.
  "Content-Type",
  "Enter",
  "Backspace",
  "Escape",
  "input, select, textarea, dialog, [role=tablist]",
  "input, select, textarea, dialog, [popover]",
  "Ts",
  "Jh",
  "Qd",
  "Kc",
  "As",
  "(prefers-reduced-motion: reduce)",
  "Left",
  "Top",
  "Right",
  "Bottom",
  "input:not([type=radio], [type=checkbox]), select, textarea, dialog",
  "a, button, summary",
  "Arrow",
  "3px solid var(--focus)",
  // Example names of tables, nights and rounds.
  "spring-gala",
  "stud-1-000004",
  "stud-2",
];
/** The same in every language. */
const NAMES = ["Pitbook", "· Pitbook"];

/** Attributes that people read or hear. On a component, any attribute may be one. */
const READ = ["alt", "aria-description", "aria-label", "aria-valuetext", "placeholder", "title"];
const LETTERS = /\p{L}{2}/u;
/** Two words, or one capitalized word. Codes have neither. */
const WORDS = /\p{L}{2,}[,;:.]? \p{L}|^\s*\p{Lu}\p{Ll}/u;

interface Node {
  type: string;
  [field: string]: unknown;
}

/** The texts in a file. */
function literals(path: string, source: string): string[] {
  const whole = path.endsWith(".ts") ? `<script lang="ts">${source}</script>` : source;
  const root = parse(whole, { modern: true }) as unknown as Record<string, Node | null>;
  const scripts = [root.module, root.instance].flatMap((script) => (script ? within(script) : []));
  return [...scripts, ...(root.fragment ? visibleText(root.fragment) : [])]
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter((text) => !NAMES.includes(text));
}

/** Texts in markup, in expressions and in attributes. */
function visibleText(node: Node): string[] {
  if (node.type === "Text") return matching(LETTERS, node.data);
  if (node.type === "ExpressionTag") return value(node.expression as Node);
  if (node.type === "Attribute") return [];
  const attributes = ((node.attributes ?? []) as Node[]).flatMap((attributeNode) =>
    attribute(attributeNode, node),
  );
  return [
    ...attributes,
    ...parts(node).flatMap((part) => (isMarkup(part) ? visibleText(part) : code(part))),
  ];
}

function attribute(node: Node, owner: Node): string[] {
  if (node.type === "StyleDirective") return [];
  if (node.type !== "Attribute") return code(node);
  const values = [node.value].flat().filter(isNode);
  const name = String(node.name);
  if (owner.type === "Component") {
    return values.flatMap((value) =>
      value.type === "Text" ? matching(WORDS, value.data) : code(value.expression as Node),
    );
  }
  if (READ.includes(name)) return values.flatMap(visibleText);
  return name.startsWith("on") ? values.flatMap((value) => code(value)) : [];
}

/** Any word in a displayed expression counts. */
function value(node: Node): string[] {
  const of = (field: string) => value(node[field] as Node);
  if (node.type === "Literal") return matching(LETTERS, node.value);
  if (node.type === "TemplateLiteral") {
    return [
      ...(node.quasis as Node[]).flatMap((quasi) => matching(LETTERS, cookedText(quasi))),
      ...(node.expressions as Node[]).flatMap(value),
    ];
  }
  if (node.type === "ConditionalExpression") {
    return [...code(node.test as Node), ...of("consequent"), ...of("alternate")];
  }
  if (node.type === "LogicalExpression") return [...of("left"), ...of("right")];
  if (node.type === "BinaryExpression" && node.operator === "+") {
    return [...of("left"), ...of("right")];
  }
  return code(node);
}

/** Elsewhere in code a single lowercase word is a code. */
function code(node: Node): string[] {
  if (node.type === "Literal") return matching(WORDS, node.value);
  if (node.type === "TemplateElement") return matching(WORDS, cookedText(node));
  return within(node);
}

function within(node: Node): string[] {
  if (/^(Import|TS(?!As|NonNull|Satisfies))/.test(node.type)) return [];
  return parts(node).flatMap((part) => (isMarkup(part) ? visibleText(part) : code(part)));
}

const UNREAD = ["attributes", "comments", "css", "leadingComments", "metadata", "typeAnnotation"];

const parts = (node: Node): Node[] =>
  Object.entries(node)
    .filter(([field]) => !UNREAD.includes(field))
    .flatMap(([, entry]) => [entry].flat())
    .filter(isNode);

const MARKUP =
  /^(Fragment|Text|ExpressionTag|RegularElement|Component|.*Block|Svelte.*|TitleElement)$/;
const isMarkup = ({ type }: Node): boolean => MARKUP.test(type) && type !== "BlockStatement";
const isNode = (entry: unknown): entry is Node =>
  typeof entry === "object" && entry !== null && typeof (entry as Node).type === "string";
const cookedText = (node: Node): unknown => (node.value as { cooked: unknown }).cooked;
const matching = (pattern: RegExp, text: unknown): string[] =>
  typeof text === "string" && pattern.test(text) ? [text] : [];

const files = Object.entries(SOURCES).map(
  ([path, source]) => [path.replace("../", ""), source] as const,
);

test("what people read stands in a catalog", () => {
  const offenders = files.flatMap(([path, source]) =>
    literals(path, source)
      .filter((text) => !ALLOWED.includes(text))
      .map((text) => `${path}: ${text}`),
  );
  expect(offenders).toEqual([]);
});

test("no style says a word", () => {
  const styles = import.meta.glob<string>("../**/*.{svelte,css}", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const says = /content:\s*["'][^"']*\p{L}/u;
  expect(Object.keys(styles).filter((path) => says.test(styles[path] ?? ""))).toEqual([]);
  expect('content: "Sit";').toMatch(says);
});

test("every allowed text is in the page's code", () => {
  const texts = new Set(files.flatMap(([path, source]) => literals(path, source)));
  expect(ALLOWED.filter((text) => !texts.has(text))).toEqual([]);
});

test.each([
  ["<p>Seat {n}</p>", "Seat"],
  ["<p>{n}&nbsp;seats</p>", "seats"],
  ['<p>{n ? "nobody" : say("a.b")}</p>', "nobody"],
  ["<p>{`until ${n}`}</p>", "until"],
  ['<p>{n || "…"}{n ?? "none"}</p>', "none"],
  ['<a title="watch">…</a>', "watch"],
  ['<a aria-label={n === "on" ? "Close" : say("a.b")}>…</a>', "Close"],
  ['<a aria-label="all of {n}">…</a>', "all of"],
  ['{#if n === "x"}<Offer name="Undo" />{/if}', "Undo"],
  ['<button onclick={() => give("It is done.", { do: "undo" })}>…</button>', "It is done."],
  ['<Offer onclick={() => give("It is done.")} />', "It is done."],
  ["{#each all as one}<i>{one}</i>{:else}<i>nobody</i>{/each}", "nobody"],
  ["{#snippet a()}<i>nobody</i>{/snippet}", "nobody"],
  ["<svelte:head><title>Pit</title></svelte:head>", "Pit"],
  ['<script lang="ts">const said = $state("Closed");</script>', "Closed"],
  ['<script lang="ts">const a: "On it" | null = `${b} is in.` as never;</script>', "is in."],
])("in %s something is said", (source, text) => {
  expect(literals("x.svelte", source)).toEqual([text]);
});

test.each([
  '<p class="good big" id="open-a-table" {...rest}>{say("a.b", { c })} · {one.name}, {n}: …</p>',
  '<p class={n ? "good big" : ""} style:color="Red">{["void"].includes(n) ? "" : ", "}</p>',
  '<script lang="ts">import A from "../Some Thing.svelte"; type B = "On it"; ask(`/a/${b}`);</script>',
  "<style>.Some { content: 'Some thing'; }</style><!-- Some thing -->",
])("in %s nothing is", (source) => {
  expect(literals("x.svelte", source)).toEqual([]);
});
