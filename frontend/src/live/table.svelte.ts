/** One open table: its latest view, what is being shown of it, and a way to speak. */

import type { Command, Refusal, Seat, Sheet, TableEvent, View } from "../api/types";
import { get, No, sentence } from "../api/ask";
import { sheetOf, titleOf } from "../api/sheet";
import { afterPaint } from "../parts/idle";
import { session } from "../people/session.svelte";
import { isInstant } from "../settings/settings.svelte";
import { hush, sound } from "../sound";
import { Keeper } from "../verify/kept";
import { toMe } from "../words/addressed";
import { say } from "../words/say.svelte";
import type { OnFelt, ToldBy } from "./felt";
import { LiveLine, type Standing, type Wire } from "./line";
import { AT_ONCE, type Pace, paceOf } from "./pace";
import { rememberPractice } from "./practised";
import { seedIn, Seeds } from "./seeds.svelte";
import { settlementSentences, describeEvents } from "./tell";
import { HEARD, tierOf } from "./tiers";
import { resultOf, seatsOf } from "./view";

const LOG_MAX = 200;
const FINAL = [401, 403, 404, 410];
const GONE = [401, 404, 410]; // The table is no more, or whoever sat at it.
const BETS = ["put-wager", "rebet"];
const DEALS = ["close-betting", "ready"];
const GLANCE = 15_000; // Who is away or looks on is in the view, and no event tells of it.

export interface Said {
  id: number;
  text: string;
}

export class LiveTable implements OnFelt {
  view: View | null = $state.raw(null);
  sheet: Sheet | null = $state.raw(null);
  standing: Standing = $state("connecting");
  why = $state("");
  /** Whether there is no such table for us any more. */
  gone = $state(false);
  /** When cards land and turn, in the page's own time. */
  pace: Pace = $state.raw(AT_ONCE);
  /** Whether everything that happened has been shown. */
  shown = $state(true);
  told: ToldBy = $state("words");
  wallet: string | undefined = $state();
  log: Said[] = $state.raw([]);
  refused: Refusal | null = $state.raw(null);
  asking = $state(0);
  /** Whether something was asked and the house has not answered for seconds. */
  unanswered = $state(false);
  readonly who = null;
  readonly seeds = new Seeds();

  #line: LiveLine;
  #keeper: Keeper;
  #news: TableEvent[] = [];
  #busyUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #said = 0;
  #glance: ReturnType<typeof setInterval>;

  constructor(
    readonly name: string,
    view: View | null = null,
  ) {
    this.#keeper = new Keeper(name);
    if (view) this.#seen(view);
    this.#line = new LiveLine(
      (from) => dial(name, from),
      {
        seen: (given) => this.#seen(given),
        happened: (events) => this.#news.push(...events),
        stands: (status, why = "") => this.#stands(status, why),
        probe: () => this.#probe(),
        unanswered: (is) => this.#waits(is),
      },
      keptVersion(name),
      (text) => JSON.parse(text, (_, value: unknown) => toMe(value, this.#me)),
    );
    this.#glance = setInterval(() => this.view?.kind === "house" && this.#line.look(), GLANCE);
  }

  get mine(): Seat[] {
    return this.view && this.#me !== undefined ? seatsOf(this.view, this.#me) : [];
  }

  get seated(): boolean {
    return this.view !== null && this.view.seats.some((seat) => seat.player === this.#me);
  }

  get #me(): string | undefined {
    return this.view?.you ?? session.me?.name;
  }

  /** Whether buttons should wait: cards are still moving, or an answer is due. */
  get busy(): boolean {
    return !this.shown || this.asking > 0 || this.standing !== "live";
  }

  /** Ask something of the table; a refusal is kept to be read. */
  async send(command: Command): Promise<boolean> {
    this.refused = null;
    this.asking += 1;
    if (BETS.includes(command.do)) this.#keeper.betting(this.view, this.mine);
    try {
      if (DEALS.includes(command.do)) await this.#addSeeds();
      const answer = await this.#spoken(this.seeds.with(command, this.view));
      if ("refused" in answer) {
        this.#keeper.refused();
        this.refuse(answer.refused);
        return false;
      }
      await this.caughtUp();
      return true;
    } catch (error) {
      this.#keeper.refused();
      this.refuse({ code: "error", message: sentence(error), clause: null });
      return false;
    } finally {
      this.asking -= 1;
    }
  }

  /** Say it; a seed that goes along is kept before the house can answer, for its proof. */
  async #spoken(command: Command): ReturnType<LiveLine["send"]> {
    const seed = seedIn(command);
    if (!seed) return this.#line.send(command);
    const { history, seat } = seed;
    this.#keeper.seeding(history, seat, seed.text);
    const answer = await this.#line.send(command);
    this.#keeper.seeded(history, seat, !("refused" in answer));
    if (this.view) this.#keeper.looked(this.view, this.mine);
    return answer;
  }

  /** A bet that lies there without a seed of its own, perhaps made elsewhere, gets one; once. */
  async #addSeeds(): Promise<void> {
    for (const { seat, wagers } of this.view?.phase === "wagers" ? this.mine : []) {
      const adding = wagers?.length ? this.seeds.adding(this.view, seat) : null;
      const once = adding && `${adding.history}/${seat}`;
      if (!adding || this.#added === once) continue;
      this.#added = once;
      await this.#spoken({ do: "seat-seed", seat, ...adding }).catch(() => null);
    }
  }
  #added: string | null = null;

  #seed(view: View): void {
    this.seeds.looked(view, this.mine);
    if (this.asking === 0 && this.standing === "live") void this.#addSeeds();
  }

  /** Until the view shows all that has happened: the next step is taken from there. */
  caughtUp(): Promise<void> {
    const version = this.#line.version ?? 0;
    if ((this.view?.version ?? 0) >= version) return Promise.resolve();
    return new Promise((resolve) => this.#behind.push({ version, resolve }));
  }
  #behind: { version: number; resolve: () => void }[] = [];

  /** Until the table shows a shoe: a bet before that would be made without its hash. */
  shoe(id: string): Promise<void> {
    if (this.view?.shoe?.id === id || this.standing === "ended") return Promise.resolve();
    return new Promise((resolve) => this.#shoes.push({ id, resolve }));
  }
  #shoes: { id: string; resolve: () => void }[] = [];

  refuse(refused: Refusal): void {
    this.refused = refused;
    this.say([sentence(refused.message)]);
  }

  say(sentences: readonly string[]): void {
    const entries = sentences.map((text) => ({ id: ++this.#said, text }));
    this.log = [...this.log, ...entries].slice(-LOG_MAX);
  }

  hurry(): void {
    this.#line.hurry();
  }

  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#glance);
    this.#line.close();
    for (const waiter of [...this.#behind.splice(0), ...this.#shoes.splice(0)]) waiter.resolve();
  }

  #seen(view: View): void {
    const news = this.#news.splice(0);
    const pace = isInstant() ? AT_ONCE : paceOf(this.view, news);
    const from = Math.max(performance.now(), this.#busyUntil);
    if (pace.total > 0) this.pace = shiftPace(pace, from);
    this.view = view;
    this.#keeper.looked(view, this.mine);
    this.#seed(view);
    for (const waiter of this.#behind) if (waiter.version <= view.version) waiter.resolve();
    this.#behind = this.#behind.filter((waiter) => waiter.version > view.version);
    for (const waiter of this.#shoes) if (waiter.id === view.shoe?.id) waiter.resolve();
    this.#shoes = this.#shoes.filter((waiter) => waiter.id !== view.shoe?.id);
    keepVersion(this.name, view.version);
    if (view.kind === "practice") rememberPractice(this.name, view.sheet.id);
    void this.#loadSheet(view);
    this.say(
      describeEvents(
        news,
        this.mine.map((seat) => seat.seat),
        (wager) => titleOf(this.sheet, wager),
      ),
    );
    this.#rattle(pace, news);
    const settled = news.some((event) => event.what === "settled");
    if (pace.total === 0 && this.shown) return this.#show(view, settled);
    this.#busyUntil = from + pace.total;
    this.shown = false;
    clearTimeout(this.#timer);
    this.#due = () => this.#show(view, settled);
    this.#timer = setTimeout(this.#due, this.#busyUntil - performance.now());
  }
  #due: () => void = () => undefined;

  /** All motion ends: what was still to be shown lies there. */
  hasten(): void {
    if (this.shown) return;
    clearTimeout(this.#timer);
    hush();
    this.#busyUntil = 0;
    this.#due();
  }

  #show(view: View, settled: boolean): void {
    this.shown = true;
    this.wallet = view.wallet;
    if (!settled) return;
    this.told = "felt";
    afterPaint(() => {
      this.told = "light";
      afterPaint(() => (this.told = "words"));
    });
    this.say(settlementSentences(view, this.mine));
    const results = this.mine
      .map((seat) => resultOf(view, seat))
      .filter((result) => result !== null);
    for (const what of HEARD[tierOf(results) ?? "loss"]) sound(what);
  }

  #rattle(pace: Pace, news: readonly TableEvent[]): void {
    for (const after of Object.values(pace.laid)) sound("card", after);
    for (const after of Object.values(pace.turned)) sound("turn", after);
    if (news.some(({ body }) => body.folded)) sound("knock");
  }

  async #loadSheet(view: View): Promise<void> {
    if (this.sheet?.hash === view.sheet.hash || this.#loading === view.sheet.hash) return;
    this.#loading = view.sheet.hash;
    this.sheet = await sheetOf(view.table, view.sheet.hash).catch(() => {
      this.#loading = ""; // The next view asks again.
      return this.sheet;
    });
  }
  #loading = "";

  #waits(unanswered: boolean): void {
    this.unanswered = unanswered;
    if (unanswered) this.say([say("live.no-answer")]);
  }

  #stands(status: Standing, why: string): void {
    if (status === "lost" && this.standing === "live") this.say([say("live.line-lost")]);
    if (status === "live" && this.standing === "lost") this.say([say("live.line-back")]);
    this.standing = status;
    this.why = why;
    if (status === "ended")
      for (const waiter of [...this.#behind.splice(0), ...this.#shoes.splice(0)]) waiter.resolve();
  }

  /** The browser does not say why a socket was refused; the same question over HTTP does. */
  async #probe(): Promise<string | null> {
    try {
      await get(`/api/tables/${encodeURIComponent(this.name)}`);
      return null;
    } catch (error) {
      if (!(error instanceof No) || !FINAL.includes(error.status)) return null;
      this.gone = GONE.includes(error.status);
      return sentence(error);
    }
  }
}

function shiftPace(pace: Pace, from: number): Pace {
  const at = (times: Record<string, number>) =>
    Object.fromEntries(Object.entries(times).map(([where, after]) => [where, from + after]));
  return { laid: at(pace.laid), turned: at(pace.turned), total: from + pace.total };
}

function dial(table: string, from: number | null): Wire {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const since = from === null ? "" : `?from=${from}`;
  const path = `/api/tables/${encodeURIComponent(table)}/socket${since}`;
  return new WebSocket(`${scheme}://${location.host}${path}`) as Wire;
}

// A reloaded page comes back with the version it had, and is told what it missed.
const versionKey = (table: string) => `pitbook.version.${table}`;
const keepVersion = (table: string, version: number) =>
  sessionStorage.setItem(versionKey(table), String(version));
function keptVersion(table: string): number | null {
  const stored = sessionStorage.getItem(versionKey(table));
  return stored === null ? null : Number(stored);
}
