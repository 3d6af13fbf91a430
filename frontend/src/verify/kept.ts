/** What this browser saw of a round while it was played, kept so that no later word can change it. */

import type { Seat, Shoe, View } from "../api/types";

export type Cards = (string | null)[];

/** What lies on the felt: the board, and each seat's cards, null where a card lies face down. */
export interface KeptFelt {
  board: Cards;
  seats: Record<string, Cards>;
}

/** One round as this browser saw it. */
export interface Kept {
  shoe: string;
  commitment: string | null;
  /** Whether it was on the screen before the bets; else it was first seen when they lay there. */
  before: boolean;
  at: string;
  /** What seeds were made for, where they are for one deal. */
  history?: string;
  /** Seeds of one's own, by seat. */
  seeds: Record<string, string>;
  felt: KeptFelt;
}

interface Announced {
  id: string;
  commitment: string | null;
  history?: string;
  at: string;
}

/** A seed that went out: taken, refused, or not answered yet. */
interface Sent {
  text: string;
  taken: boolean | null;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const ROUND = "pitbook.deal.";
const SHOE = "pitbook.shoe.";
export const KEPT_MAX = 300;

/** The round as this browser kept it, if it saw it played. */
export const keptOf = (round: string, store: Store = localStorage): Kept | null =>
  read<Kept>(store, ROUND + round);

/** Watches one table and keeps the hash of each shoe before the bets, and every card after them. */
export class ProofStore {
  #sent: Announced | null = null;
  #seeds: { history: string | undefined; texts: Record<string, Sent> } = {
    history: undefined,
    texts: {},
  };

  constructor(
    readonly table: string,
    readonly store: Store = localStorage,
    readonly now: () => string = () => new Date().toISOString(),
  ) {}

  /** A bet of one's own is about to go: what the table shows now was shown before it. */
  betting(view: View | null, mine: readonly Seat[]): void {
    if (view?.shoe && !liesOn(view, mine)) this.#sent = this.#announced(view.shoe);
  }

  /** A seed of one's own goes out; until it is taken, nothing is kept for its seat. */
  seeding(history: string, seat: number, text: string): void {
    const texts = this.#seeds.history === history ? this.#seeds.texts : {};
    this.#seeds = { history, texts: { ...texts, [seat]: { text, taken: null } } };
  }

  /** The house has taken it, or not. */
  seeded(history: string, seat: number, taken: boolean): void {
    const sent = this.#seeds.texts[seat];
    if (!sent || this.#seeds.history !== history) return;
    this.#seeds = { history, texts: { ...this.#seeds.texts, [seat]: { ...sent, taken } } };
  }

  /** The bet was refused: nothing lies there. */
  refused(): void {
    this.#sent = null;
  }

  looked(view: View, mine: readonly Seat[]): void {
    const lies = liesOn(view, mine);
    if (view.shoe && !lies && this.#sent === null)
      write(this.store, SHOE + this.table, this.#announced(view.shoe));
    if (view.round === null) return;
    const record = keptOf(view.round, this.store) ?? (lies ? this.#first(view) : null);
    if (!record) return;
    const texts = this.#seeds.history === madeFor(record) ? this.#seeds.texts : {};
    write(this.store, ROUND + view.round, recordOf(record, view, mine, texts));
  }

  #announced = ({ id, commitment, history }: Shoe): Announced => ({
    id,
    commitment,
    ...(history ? { history } : {}),
    at: this.now(),
  });

  /** The round's first sight with a bet on it: which hash had been shown before? */
  #first(view: View): Kept | null {
    if (!view.shoe) return null;
    const announced = read<Announced>(this.store, SHOE + this.table);
    const same = announced?.id === view.shoe.id && announced.history === view.shoe.history;
    const commitment = this.#sent ?? (same ? announced : null);
    const { id, at, ...hashes } = commitment ?? this.#announced(view.shoe);
    this.#sent = null;
    forgetOldest(this.store);
    const felt = { board: [], seats: {} };
    return { shoe: id, ...hashes, before: commitment !== null, at, seeds: {}, felt };
  }
}

/** Whether a bet of one's own lies there; for somebody who looks on, anybody's. */
function liesOn(view: View, mine: readonly Seat[]): boolean {
  if (view.phase === "open" || view.phase === "over" || view.phase === "retired") return false;
  const seats = mine.length ? mine : view.seats;
  return seats.some((seat) => (seat.wagers?.length ?? 0) > 0);
}

/** What the seeds of a round had to be made for. */
const madeFor = ({ history, commitment }: Kept): string | undefined =>
  history ?? commitment ?? undefined;

/** What this browser sent itself counts before what the house says that it was told. */
function recordOf(
  record: Kept,
  view: View,
  mine: readonly Seat[],
  ownSeeds: Readonly<Record<string, Sent>>,
): Kept {
  const seats = { ...record.felt.seats };
  for (const { seat, cards } of view.seats)
    if (cards?.length) seats[seat] = mergeCards(seats[seat] ?? [], cards);
  const seeds = { ...record.seeds };
  for (const { seat } of view.phase === "over" ? [] : mine) {
    const text = seedOf(ownSeeds[seat], view.seat_seeds[seat] ?? null);
    if (text && !seeds[seat]) seeds[seat] = text;
  }
  return {
    ...record,
    seeds,
    felt: { board: mergeCards(record.felt.board, view.board.cards), seats },
  };
}

/** What this browser sent, if it was taken; while nobody knows, nothing; else what the view says. */
function seedOf(sent: Sent | undefined, revealed: string | null): string | null {
  if (sent?.taken) return sent.text;
  return sent?.taken === null ? null : revealed;
}

/** A card that was seen stays what it was. */
const mergeCards = (before: Cards, now: Cards): Cards =>
  Array.from(
    { length: Math.max(before.length, now.length) },
    (_, n) => before[n] ?? now[n] ?? null,
  );

function forgetOldest(store: Store): void {
  const names = Array.from({ length: store.length }, (_, n) => store.key(n) ?? "");
  const rounds = names.filter((name) => name.startsWith(ROUND));
  if (rounds.length < KEPT_MAX) return;
  const at = (name: string) => read<Kept>(store, name)?.at ?? "";
  rounds.sort((a, b) => at(a).localeCompare(at(b)));
  for (const name of rounds.slice(0, rounds.length - KEPT_MAX + 1)) store.removeItem(name);
}

function read<T>(store: Store, name: string): T | null {
  try {
    return JSON.parse(store.getItem(name) ?? "null") as T | null;
  } catch {
    return null;
  }
}

function write(store: Store, name: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    if (store.getItem(name) !== text) store.setItem(name, text);
  } catch {
    // A full store keeps what it has; the page says what was not seen.
  }
}
