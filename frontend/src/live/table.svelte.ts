/** One open table: its latest view, what the screen shows of it, and its commands. */

import type { Command, Refusal, Seat, Sheet, TableEvent, View } from "../api/types";
import { get, RequestError, sentence } from "../api/requests";
import { sheetOf, titleOf } from "../api/sheet";
import { afterPaint } from "../parts/idle";
import { session } from "../people/session.svelte";
import { isInstant } from "../settings/settings.svelte";
import { mute, sound } from "../sound";
import { ProofStore } from "../verify/roundRecord";
import { addressReader } from "../words/secondPerson";
import { say } from "../words/say.svelte";
import type { FeltSource, RevealStage } from "./feltSource";
import { TableConnection, type ConnectionStatus, type Socket } from "./connection";
import { NO_ANIMATION, type DealTimeline, buildTimeline } from "./dealTimeline";
import { rememberPractice } from "./practiceTables";
import { seedIn, Seeds } from "./seeds.svelte";
import { settlementSentences, describeEvents } from "./sentences";
import { TIER_SOUNDS, tierOf } from "./winTiers";
import { resultOf, seatsOf } from "./view";

const LOG_MAX = 200;
const FINAL = [401, 403, 404, 410];
const GONE = [401, 404, 410]; // The table is closed, or the player's account is gone.
const BETS = ["put-wager", "rebet"];
const DEALS = ["close-betting", "ready"];

export interface LogEntry {
  id: number;
  text: string;
}

export class LiveTable implements FeltSource {
  view: View | null = $state.raw(null);
  sheet: Sheet | null = $state.raw(null);
  status: ConnectionStatus = $state("connecting");
  endReason = $state("");
  /** True if the table no longer exists for this player. */
  gone = $state(false);
  /** When cards land and turn, in the page's own time. */
  timeline: DealTimeline = $state.raw(NO_ANIMATION);
  /** True once the animation of all events has ended. */
  isAnimationDone = $state(true);
  revealed: RevealStage = $state("words");
  wallet: string | undefined = $state();
  log: LogEntry[] = $state.raw([]);
  refused: Refusal | null = $state.raw(null);
  pendingCommands = $state(0);
  /** True if the server has not answered a command for seconds. */
  unanswered = $state(false);
  readonly viewedPlayer = null;
  readonly seeds = new Seeds();

  #connection: TableConnection;
  #proofs: ProofStore;
  #pendingEvents: TableEvent[] = [];
  #busyUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastLogId = 0;

  constructor(
    readonly name: string,
    view: View | null = null,
  ) {
    this.#proofs = new ProofStore(name);
    if (view) this.#onView(view);
    this.#connection = new TableConnection(
      (from) => openSocket(name, from),
      {
        onView: (view) => this.#onView(view),
        onEvents: (events) => this.#pendingEvents.push(...events),
        onPresence: (presence) => this.view && (this.view = { ...this.view, presence }),
        onStatus: (status, reason = "") => this.#onStatus(status, reason),
        probe: () => this.#probe(),
        onUnanswered: (unanswered) => this.#onTimeout(unanswered),
      },
      storedVersion(name),
      (text) => JSON.parse(text, (_, value: unknown) => addressReader(value, this.#me)),
    );
  }

  get mySeats(): Seat[] {
    return this.view && this.#me !== undefined ? seatsOf(this.view, this.#me) : [];
  }

  get seated(): boolean {
    return this.view !== null && this.view.seats.some((seat) => seat.player === this.#me);
  }

  get #me(): string | undefined {
    return this.view?.you ?? session.me?.name;
  }

  /** True while cards are moving or a command awaits its answer. */
  get busy(): boolean {
    return !this.isAnimationDone || this.pendingCommands > 0 || this.status !== "live";
  }

  /** Send a command. Returns false and stores the refusal if the table refuses. */
  async send(command: Command): Promise<boolean> {
    this.refused = null;
    this.pendingCommands += 1;
    if (BETS.includes(command.do)) this.#proofs.onBet(this.view, this.mySeats);
    try {
      if (DEALS.includes(command.do)) await this.#addSeeds();
      const answer = await this.#sendWithSeed(this.seeds.with(command, this.view));
      if ("refused" in answer) {
        this.#proofs.refused();
        this.refuse(answer.refused);
        return false;
      }
      await this.caughtUp();
      return true;
    } catch (error) {
      this.#proofs.refused();
      this.refuse({ code: "error", message: sentence(error), clause: null });
      return false;
    } finally {
      this.pendingCommands -= 1;
    }
  }

  /** Send a command. Store its seed first, so that the proof has it before the server answers. */
  async #sendWithSeed(command: Command): ReturnType<TableConnection["send"]> {
    const seed = seedIn(command);
    if (!seed) return this.#connection.send(command);
    const { history, seat } = seed;
    this.#proofs.onSeed(history, seat, seed.text);
    const answer = await this.#connection.send(command);
    this.#proofs.onSeedAnswer(history, seat, !("refused" in answer));
    if (this.view) this.#proofs.onView(this.view, this.mySeats);
    return answer;
  }

  /** Add a seed, once, to each of the player's bets that has none (for example a bet from another device). */
  async #addSeeds(): Promise<void> {
    for (const { seat, wagers } of this.view?.phase === "wagers" ? this.mySeats : []) {
      const missingSeed = wagers?.length ? this.seeds.missingSeed(this.view, seat) : null;
      const seedKey = missingSeed && `${missingSeed.history}/${seat}`;
      if (!missingSeed || this.#lastSeedAdded === seedKey) continue;
      this.#lastSeedAdded = seedKey;
      await this.#sendWithSeed({ do: "seat-seed", seat, ...missingSeed }).catch(() => null);
    }
  }
  #lastSeedAdded: string | null = null;

  #seed(view: View): void {
    this.seeds.onView(view, this.mySeats);
    if (this.pendingCommands === 0 && this.status === "live") void this.#addSeeds();
  }

  /** Resolves when the view includes all known events. */
  caughtUp(): Promise<void> {
    const version = this.#connection.version ?? 0;
    if ((this.view?.version ?? 0) >= version) return Promise.resolve();
    return new Promise((resolve) => this.#viewWaiters.push({ version, resolve }));
  }
  #viewWaiters: { version: number; resolve: () => void }[] = [];

  /** Resolves when the table shows the shoe, so that a bet can refer to its hash. */
  shoe(id: string): Promise<void> {
    if (this.view?.shoe?.id === id || this.status === "ended") return Promise.resolve();
    return new Promise((resolve) => this.#shoeWaiters.push({ id, resolve }));
  }
  #shoeWaiters: { id: string; resolve: () => void }[] = [];

  refuse(refused: Refusal): void {
    this.refused = refused;
    this.say([sentence(refused.message)]);
  }

  say(sentences: readonly string[]): void {
    const entries = sentences.map((text) => ({ id: ++this.#lastLogId, text }));
    this.log = [...this.log, ...entries].slice(-LOG_MAX);
  }

  reconnectNow(): void {
    this.#connection.reconnectNow();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#connection.close();
    for (const waiter of [...this.#viewWaiters.splice(0), ...this.#shoeWaiters.splice(0)])
      waiter.resolve();
  }

  #onView(view: View): void {
    const newEvents = this.#pendingEvents.splice(0);
    const timeline = isInstant() ? NO_ANIMATION : buildTimeline(this.view, newEvents);
    const from = Math.max(performance.now(), this.#busyUntil);
    if (timeline.total > 0) this.timeline = shiftTimeline(timeline, from);
    this.view = view;
    this.#proofs.onView(view, this.mySeats);
    this.#seed(view);
    for (const waiter of this.#viewWaiters) if (waiter.version <= view.version) waiter.resolve();
    this.#viewWaiters = this.#viewWaiters.filter((waiter) => waiter.version > view.version);
    for (const waiter of this.#shoeWaiters) if (waiter.id === view.shoe?.id) waiter.resolve();
    this.#shoeWaiters = this.#shoeWaiters.filter((waiter) => waiter.id !== view.shoe?.id);
    storeVersion(this.name, view.version);
    if (view.kind === "practice") rememberPractice(this.name, view.sheet.id);
    void this.#loadSheet(view);
    this.say(
      describeEvents(
        newEvents,
        this.mySeats.map((seat) => seat.seat),
        (wager) => titleOf(this.sheet, wager),
      ),
    );
    this.#playSounds(timeline, newEvents);
    const settled = newEvents.some((event) => event.what === "settled");
    if (timeline.total === 0 && this.isAnimationDone) return this.#show(view, settled);
    this.#busyUntil = from + timeline.total;
    this.isAnimationDone = false;
    clearTimeout(this.#timer);
    this.#pendingReveal = () => this.#show(view, settled);
    this.#timer = setTimeout(this.#pendingReveal, this.#busyUntil - performance.now());
  }
  #pendingReveal: () => void = () => undefined;

  /** End all motion and show the final state. */
  skipAnimation(): void {
    if (this.isAnimationDone) return;
    clearTimeout(this.#timer);
    mute();
    this.#busyUntil = 0;
    this.#pendingReveal();
  }

  #show(view: View, settled: boolean): void {
    this.isAnimationDone = true;
    this.wallet = view.wallet;
    if (!settled) return;
    this.revealed = "felt";
    afterPaint(() => {
      this.revealed = "light";
      afterPaint(() => (this.revealed = "words"));
    });
    this.say(settlementSentences(view, this.mySeats));
    const results = this.mySeats
      .map((seat) => resultOf(view, seat))
      .filter((result) => result !== null);
    for (const soundName of TIER_SOUNDS[tierOf(results) ?? "loss"]) sound(soundName);
  }

  #playSounds(timeline: DealTimeline, newEvents: readonly TableEvent[]): void {
    for (const delay of Object.values(timeline.dealtAt)) sound("card", delay);
    for (const delay of Object.values(timeline.turnedAt)) sound("turn", delay);
    if (newEvents.some(({ body }) => body.folded)) sound("knock");
  }

  async #loadSheet(view: View): Promise<void> {
    if (this.sheet?.hash === view.sheet.hash || this.#loading === view.sheet.hash) return;
    this.#loading = view.sheet.hash;
    this.sheet = await sheetOf(view.table, view.sheet.hash).catch(() => {
      this.#loading = ""; // Retried with the next view.
      return this.sheet;
    });
  }
  #loading = "";

  #onTimeout(unanswered: boolean): void {
    this.unanswered = unanswered;
    if (unanswered) this.say([say("live.no-answer")]);
  }

  #onStatus(status: ConnectionStatus, reason: string): void {
    if (status === "lost" && this.status === "live") this.say([say("live.line-lost")]);
    if (status === "live" && this.status === "lost") this.say([say("live.line-back")]);
    this.status = status;
    this.endReason = reason;
    if (status === "ended")
      for (const waiter of [...this.#viewWaiters.splice(0), ...this.#shoeWaiters.splice(0)])
        waiter.resolve();
  }

  /** Ask over HTTP why the socket was refused; browsers do not say. */
  async #probe(): Promise<string | null> {
    try {
      await get(`/api/tables/${encodeURIComponent(this.name)}`);
      return null;
    } catch (error) {
      if (!(error instanceof RequestError) || !FINAL.includes(error.status)) return null;
      this.gone = GONE.includes(error.status);
      return sentence(error);
    }
  }
}

function shiftTimeline(timeline: DealTimeline, from: number): DealTimeline {
  const shift = (times: Record<string, number>) =>
    Object.fromEntries(Object.entries(times).map(([where, delay]) => [where, from + delay]));
  return {
    dealtAt: shift(timeline.dealtAt),
    turnedAt: shift(timeline.turnedAt),
    total: from + timeline.total,
  };
}

function openSocket(table: string, from: number | null): Socket {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const query = `?views=true${from === null ? "" : `&from=${from}`}`;
  const path = `/api/tables/${encodeURIComponent(table)}/socket${query}`;
  return new WebSocket(`${scheme}://${location.host}${path}`) as Socket;
}

// A reloaded page resumes from its last version and receives the events it missed.
const versionKey = (table: string) => `pitbook.version.${table}`;
const storeVersion = (table: string, version: number) =>
  sessionStorage.setItem(versionKey(table), String(version));
function storedVersion(table: string): number | null {
  const stored = sessionStorage.getItem(versionKey(table));
  return stored === null ? null : Number(stored);
}
