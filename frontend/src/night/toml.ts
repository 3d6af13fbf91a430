/** As much TOML as a schedule needs: tables, lists of tables, text, whole numbers, yes and no. */

export type Value = string | number | boolean | Value[] | Fields;
export interface Fields {
  [key: string]: Value;
}

const KEY = /^[A-Za-z0-9_-]+$/;
const COMMENT = /^\s*(#.*)?$/;
const HEAD = /^\s*(\[\[?)([A-Za-z0-9_-]+)(\]\]?)\s*(#.*)?$/;
const LINE = /^\s*([A-Za-z0-9_-]+)\s*=\s*(.*)$/;
// One piece of a value: text, a number, a word, or a mark.
const PIECE =
  /\s*(?:("(?:[^"\\]|\\["\\bfnrt]|\\u[0-9a-fA-F]{4})*")|([A-Za-z0-9_+-]+)|([[\]{},=#]))/y;

/** The fields of a text; null where it uses more of the language, or makes a mistake. */
export function fieldsOf(text: string): Fields | null {
  const all: Fields = {};
  let into = all;
  try {
    for (const line of text.split(/\r?\n/)) {
      if (COMMENT.test(line)) continue;
      const head = HEAD.exec(line);
      if (head) into = opened(all, head[2] ?? "", head[1] === "[[", head[3] === "]]");
      else put(into, line);
    }
    return all;
  } catch {
    return null;
  }
}

function opened(all: Fields, name: string, listed: boolean, closed: boolean): Fields {
  const made: Fields = {};
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (listed !== closed || (found !== undefined && !(listed && Array.isArray(found)))) {
    throw new Error(name);
  }
  if (Array.isArray(found)) found.push(made);
  else all[name] = listed ? [made] : made;
  return made;
}

function put(into: Fields, line: string): void {
  const [, key = "", rest = ""] = LINE.exec(line) ?? [];
  if (!key || Object.hasOwn(into, key)) throw new Error(line);
  const pieces = [...rest.matchAll(new RegExp(PIECE.source, "gy"))];
  const words = pieces.map((one) => one[0].trim());
  const comment = words.indexOf("#");
  const read = pieces.reduce((sum, one) => sum + one[0].length, 0);
  if (comment < 0 && rest.slice(read).trim()) throw new Error(line);
  const reader = new Reader(comment < 0 ? words : words.slice(0, comment));
  into[key] = reader.value();
  reader.end();
}

class Reader {
  #at = 0;
  constructor(private readonly words: readonly string[]) {}

  value(): Value {
    const word = this.#next();
    if (word === "[") return this.#list();
    if (word === "{") return this.#table();
    if (word.startsWith('"')) return JSON.parse(word) as string;
    if (/^[+-]?(0|[1-9]\d*)$/.test(word)) return Number(word);
    if (word === "true" || word === "false") return word === "true";
    throw new Error(word);
  }

  end(): void {
    if (this.#at < this.words.length) throw new Error(this.words[this.#at]);
  }

  #next(): string {
    const word = this.words[this.#at++];
    if (word === undefined) throw new Error("nothing more");
    return word;
  }

  #list(): Value[] {
    const found: Value[] = [];
    while (this.words[this.#at] !== "]") {
      found.push(this.value());
      if (this.words[this.#at] !== "]" && this.#next() !== ",") throw new Error("no list");
    }
    this.#at++;
    return found;
  }

  #table(): Fields {
    const found: Fields = {};
    while (this.words[this.#at] !== "}") {
      const key = this.#next();
      if (!KEY.test(key) || Object.hasOwn(found, key) || this.#next() !== "=") throw new Error(key);
      found[key] = this.value();
      if (this.words[this.#at] !== "}" && this.#next() !== ",") throw new Error("no table");
    }
    this.#at++;
    return found;
  }
}

/** The same fields as text: plain ones first, then tables, then lists of tables. */
export function tomlOf(all: Fields): string {
  const plain: string[] = [];
  const parts: string[][] = [];
  for (const [key, value] of Object.entries(all)) {
    if (isTables(value)) parts.push(...value.map((one) => [`[[${key}]]`, ...lines(one)]));
    else if (isFields(value)) parts.push([`[${key}]`, ...lines(value)]);
    else plain.push(`${key} = ${written(value)}`);
  }
  return [plain, ...parts].map((part) => part.join("\n")).join("\n\n") + "\n";
}

const lines = (fields: Fields): string[] =>
  Object.entries(fields).map(([key, value]) => `${key} = ${written(value)}`);

function written(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (!isFields(value)) return JSON.stringify(value);
  const inside = lines(value).join(", ");
  return inside ? `{ ${inside} }` : "{}";
}

const isFields = (value: Value): value is Fields =>
  typeof value === "object" && !Array.isArray(value);

const isTables = (value: Value): value is Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isFields);
