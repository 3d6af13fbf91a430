/** One trial in the lab: the typed changes and the newest answer to them. */

import type { LineTried, SheetWish, TableTried, Tried } from "../api/types";
import { RequestError, post, sentence } from "../api/ask";

export type LabWish = Required<SheetWish>;

export type Send = (wish: LabWish) => Promise<Tried>;

const PAUSE = 120; // Wait this long after a key before asking.
const AGAIN = 1_500; // Retry after "ask again in a few seconds".
const TOO_MANY = 429;
const overHttp: Send = (wish) => post("/api/sheets/try", wish);

/** The string entries of an object. Anything else in a link is ignored. */
function texts(given: unknown): Record<string, string> {
  const entries = Object.entries((given ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

const tables = (given: unknown): Record<string, Record<string, string>> =>
  Object.fromEntries(
    Object.entries((given ?? {}) as object).map(([name, lines]) => [name, texts(lines)]),
  );

export class Lab {
  told: Tried | null = $state.raw(null);
  errorText = $state("");
  /** True while the figures shown do not match the typed text yet. */
  waiting = $state(false);
  ante = $state("");
  /** The newest answer with figures. */
  #figured: Tried | null = $state.raw(null);
  #pays: Record<string, Record<string, string>> = $state({});
  #caps: Record<string, string> = $state({});
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly sheet: string,
    private readonly send: Send = overHttp,
  ) {}

  get wish(): LabWish {
    return {
      sheet: this.sheet,
      pays: $state.snapshot(this.#pays),
      caps: (this.told?.caps ?? []).map((cap) => this.#caps[cap.field] ?? null),
      ante: this.ante === "" ? null : this.ante,
    };
  }

  get changed(): boolean {
    const some = (record: object) => Object.keys(record).length > 0;
    return this.ante !== "" || some(this.#caps) || Object.values(this.#pays).some(some);
  }

  /** The changes as text for a link. */
  get shared(): string {
    const caps = $state.snapshot(this.#caps);
    return JSON.stringify({ pays: $state.snapshot(this.#pays), caps, ante: this.ante });
  }

  /** Restore the changes from a link. Invalid text changes nothing. */
  restore(text: string | null): void {
    if (text === null) return;
    try {
      const { pays, caps, ante } = JSON.parse(text) as Record<string, unknown>;
      this.#pays = tables(pays);
      this.#caps = texts(caps);
      this.ante = typeof ante === "string" ? ante : "";
    } catch {
      this.asPrinted();
    }
  }

  pay(table: TableTried, line: LineTried): string {
    return this.#pays[table.wager]?.[line.line] ?? line.printed;
  }

  setPay(table: TableTried, line: LineTried, text: string): void {
    const lines = (this.#pays[table.wager] ??= {});
    // A line that the user added stays even while it is blank.
    if (text === line.printed && line.printed !== "") Reflect.deleteProperty(lines, line.line);
    else lines[line.line] = text;
    this.ask(PAUSE);
  }

  add(table: TableTried, line: string): void {
    (this.#pays[table.wager] ??= {})[line] = "";
    this.ask();
  }

  /** The next payout up or down the server's ladder, if there is one. */
  step(table: TableTried, line: LineTried, by: 1 | -1): string | undefined {
    const ladder = this.told?.ladder ?? [];
    const text = this.pay(table, line);
    const index = ladder.indexOf(text);
    // The server has normalized other spellings such as "7 to 1".
    const place = index < 0 && !this.waiting ? ladder.indexOf(line.now ?? "?") : index;
    return place < 0 ? undefined : ladder[place + by];
  }

  cap(field: string, printed: string): string {
    return this.#caps[field] ?? printed;
  }

  setCap(field: string, printed: string, text: string): void {
    if (text === printed) Reflect.deleteProperty(this.#caps, field);
    else this.#caps[field] = text;
    this.ask(PAUSE);
  }

  setAnte(text: string): void {
    this.ante = text;
    this.ask(PAUSE);
  }

  asPrinted(): void {
    this.#pays = {};
    this.#caps = {};
    this.ante = "";
    this.ask();
  }

  /** The finding about a field. */
  against(field: string): string {
    const finding = this.told?.findings.find(
      (finding) => finding.field === field && finding.level === "error",
    );
    return finding ? sentence(new Error(finding.message)) : "";
  }

  /** True if a line is invalid, so that the figures are those of the last valid table. */
  get kept(): boolean {
    return this.told !== null && !this.told.valid && this.#figured !== null;
  }

  /** The table's current figures, or the last valid ones. */
  figures(table: TableTried): Pick<TableTried, "figures" | "exact"> {
    return this.#last(table) ?? table;
  }

  rate(table: TableTried, line: LineTried): string {
    const match = this.#last(table)?.lines.find((entry) => entry.line === line.line);
    return line.rate ?? match?.rate ?? "";
  }

  #last(table: TableTried): TableTried | undefined {
    if (!this.kept) return undefined;
    return this.#figured?.tables.find((figured) => figured.wager === table.wager);
  }

  ask(after = 0): void {
    this.waiting = true;
    this.#later(++this.#asked, after);
  }

  leave(): void {
    this.#asked++;
    clearTimeout(this.#timer);
  }

  #later(number: number, after: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#askNow(number), after);
  }

  async #askNow(number: number): Promise<void> {
    try {
      const answer = await this.send(this.wish);
      if (number !== this.#asked) return; // The user has typed on, and a newer answer is on its way.
      this.told = answer;
      if (answer.valid) this.#figured = answer;
      this.errorText = "";
      this.waiting = false;
    } catch (error) {
      if (number === this.#asked) this.#refused(number, error);
    }
  }

  #refused(number: number, error: unknown): void {
    this.errorText = sentence(error);
    if (error instanceof RequestError && error.status === TOO_MANY) this.#later(number, AGAIN);
    else this.waiting = false;
  }
}
