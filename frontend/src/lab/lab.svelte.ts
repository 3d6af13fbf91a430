/** One trial in the lab: the typed changes and the newest answer to them. */

import type { LabLine, SheetEdits, LabPayTable, LabResult } from "../api/types";
import { RequestError, post, sentence } from "../api/requests";

export type TrialRequest = Required<SheetEdits>;

export type Send = (trialRequest: TrialRequest) => Promise<LabResult>;

const TYPING_PAUSE_MS = 120; // Wait this long after a key before asking.
const RETRY_MS = 1_500; // Retry after "ask again in a few seconds".
const TOO_MANY = 429;
const overHttp: Send = (trialRequest) => post("/api/sheets/try", trialRequest);

/** The string entries of an object. Anything else in a link is ignored. */
function texts(stored: unknown): Record<string, string> {
  const entries = Object.entries((stored ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

const tables = (stored: unknown): Record<string, Record<string, string>> =>
  Object.fromEntries(
    Object.entries((stored ?? {}) as object).map(([name, lines]) => [name, texts(lines)]),
  );

export class Lab {
  latest: LabResult | null = $state.raw(null);
  errorText = $state("");
  /** True while the figures shown do not match the typed text yet. */
  waiting = $state(false);
  ante = $state("");
  /** The newest answer with figures. */
  #lastValid: LabResult | null = $state.raw(null);
  #pays: Record<string, Record<string, string>> = $state({});
  #caps: Record<string, string> = $state({});
  #requestNumber = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly sheet: string,
    private readonly send: Send = overHttp,
  ) {}

  get trialRequest(): TrialRequest {
    return {
      sheet: this.sheet,
      pays: $state.snapshot(this.#pays),
      caps: (this.latest?.caps ?? []).map((cap) => this.#caps[cap.field] ?? null),
      ante: this.ante === "" ? null : this.ante,
    };
  }

  get changed(): boolean {
    const isNotEmpty = (record: object) => Object.keys(record).length > 0;
    return this.ante !== "" || isNotEmpty(this.#caps) || Object.values(this.#pays).some(isNotEmpty);
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

  pay(table: LabPayTable, line: LabLine): string {
    return this.#pays[table.wager]?.[line.line] ?? line.printed;
  }

  isChanged(table: LabPayTable): boolean {
    return table.lines.some((line) => this.pay(table, line) !== line.printed);
  }

  setPay(table: LabPayTable, line: LabLine, text: string): void {
    const lines = (this.#pays[table.wager] ??= {});
    // A line that the user added stays even while it is blank.
    if (text === line.printed && line.printed !== "") Reflect.deleteProperty(lines, line.line);
    else lines[line.line] = text;
    this.compute(TYPING_PAUSE_MS);
  }

  add(table: LabPayTable, line: string): void {
    (this.#pays[table.wager] ??= {})[line] = "";
    this.compute();
  }

  /** The next payout up or down the server's ladder, if there is one. */
  step(table: LabPayTable, line: LabLine, by: 1 | -1): string | undefined {
    const ladder = this.latest?.ladder ?? [];
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
    this.compute(TYPING_PAUSE_MS);
  }

  setAnte(text: string): void {
    this.ante = text;
    this.compute(TYPING_PAUSE_MS);
  }

  asPrinted(): void {
    this.#pays = {};
    this.#caps = {};
    this.ante = "";
    this.compute();
  }

  /** The finding about a field. */
  findingFor(field: string): string {
    const finding = this.latest?.findings.find(
      (finding) => finding.field === field && finding.level === "error",
    );
    return finding ? sentence(new Error(finding.message)) : "";
  }

  /** True if a line is invalid, so that the figures are those of the last valid table. */
  get showsOldFigures(): boolean {
    return this.latest !== null && !this.latest.valid && this.#lastValid !== null;
  }

  /** The table's current figures, or the last valid ones. */
  figures(table: LabPayTable): Pick<LabPayTable, "figures" | "exact"> {
    return this.#lastFigures(table) ?? table;
  }

  rate(table: LabPayTable, line: LabLine): string {
    const match = this.#lastFigures(table)?.lines.find((entry) => entry.line === line.line);
    return line.rate ?? match?.rate ?? "";
  }

  #lastFigures(table: LabPayTable): LabPayTable | undefined {
    if (!this.showsOldFigures) return undefined;
    return this.#lastValid?.tables.find((payTable) => payTable.wager === table.wager);
  }

  compute(delay = 0): void {
    this.waiting = true;
    this.#schedule(++this.#requestNumber, delay);
  }

  leave(): void {
    this.#requestNumber++;
    clearTimeout(this.#timer);
  }

  #schedule(number: number, delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#request(number), delay);
  }

  async #request(number: number): Promise<void> {
    try {
      const answer = await this.send(this.trialRequest);
      if (number !== this.#requestNumber) return; // The user has typed on, and a newer answer is on its way.
      this.latest = answer;
      if (answer.valid) this.#lastValid = answer;
      this.errorText = "";
      this.waiting = false;
    } catch (error) {
      if (number === this.#requestNumber) this.#onError(number, error);
    }
  }

  #onError(number: number, error: unknown): void {
    this.errorText = sentence(error);
    if (error instanceof RequestError && error.status === TOO_MANY)
      this.#schedule(number, RETRY_MS);
    else this.waiting = false;
  }
}
