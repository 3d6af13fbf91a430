/** This browser's own record of the rounds it has seen, so that later claims can be checked against it. */

import type { Seat, Shoe, View } from "../api/types";

export type Cards = (string | null)[];

/** The cards on the felt: the board and each seat's, null if face down. */
export interface FeltRecord {
  board: Cards;
  seats: Record<string, Cards>;
}

/** The record of one round. */
export interface RoundRecord {
  shoe: string;
  commitment: string | null;
  /** True if the hash was on screen before the bets. */
  before: boolean;
  at: string;
  /** The shoe state that the seeds were made for, if they are for one deal. */
  history?: string;
  /** The player's seeds by seat. */
  seeds: Record<string, string>;
  felt: FeltRecord;
}

interface Announced {
  id: string;
  commitment: string | null;
  history?: string;
  at: string;
}

/** A seed that was sent. `taken` is null until the server answers. */
interface Sent {
  text: string;
  taken: boolean | null;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const ROUND = "pitbook.deal.";
const SHOE = "pitbook.shoe.";
export const RECORDS_MAX = 300;

/** The record of a round, if this browser has one. */
export const recordOfRound = (round: string, store: Store = localStorage): RoundRecord | null =>
  readStored<RoundRecord>(store, ROUND + round);

/** Records the hash of each shoe before the bets, and every card after them, for one table. */
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

  /** Called before a bet is sent: what the table shows now, it showed before the bet. */
  onBet(view: View | null, mySeats: readonly Seat[]): void {
    if (view?.shoe && !hasBet(view, mySeats)) this.#sent = this.#announced(view.shoe);
  }

  /** Called before a seed is sent. Until the server accepts it, nothing is recorded for its seat. */
  onSeed(history: string, seat: number, text: string): void {
    const texts = this.#seeds.history === history ? this.#seeds.texts : {};
    this.#seeds = { history, texts: { ...texts, [seat]: { text, taken: null } } };
  }

  /** Called with the server's answer. */
  onSeedAnswer(history: string, seat: number, taken: boolean): void {
    const sent = this.#seeds.texts[seat];
    if (!sent || this.#seeds.history !== history) return;
    this.#seeds = { history, texts: { ...this.#seeds.texts, [seat]: { ...sent, taken } } };
  }

  /** Called when the bet was refused. */
  refused(): void {
    this.#sent = null;
  }

  onView(view: View, mySeats: readonly Seat[]): void {
    const isBetting = hasBet(view, mySeats);
    if (view.shoe && !isBetting && this.#sent === null)
      write(this.store, SHOE + this.table, this.#announced(view.shoe));
    if (view.round === null) return;
    const record = recordOfRound(view.round, this.store) ?? (isBetting ? this.#first(view) : null);
    if (!record) return;
    const texts = this.#seeds.history === shoeStateOf(record) ? this.#seeds.texts : {};
    write(this.store, ROUND + view.round, recordOf(record, view, mySeats, texts));
  }

  #announced = ({ id, commitment, history }: Shoe): Announced => ({
    id,
    commitment,
    ...(history ? { history } : {}),
    at: this.now(),
  });

  /** Start the record of a round that has bets, with the hash shown before them, if any. */
  #first(view: View): RoundRecord | null {
    if (!view.shoe) return null;
    const announced = readStored<Announced>(this.store, SHOE + this.table);
    const isSame = announced?.id === view.shoe.id && announced.history === view.shoe.history;
    const commitment = this.#sent ?? (isSame ? announced : null);
    const { id, at: timeOf, ...hashes } = commitment ?? this.#announced(view.shoe);
    this.#sent = null;
    forgetOldest(this.store);
    const felt = { board: [], seats: {} };
    return { shoe: id, ...hashes, before: commitment !== null, at: timeOf, seeds: {}, felt };
  }
}

/** True if the player has a bet on the table; for a spectator, if anyone has. */
function hasBet(view: View, mySeats: readonly Seat[]): boolean {
  if (view.phase === "open" || view.phase === "over" || view.phase === "retired") return false;
  const seats = mySeats.length ? mySeats : view.seats;
  return seats.some((seat) => (seat.wagers?.length ?? 0) > 0);
}

/** The shoe state that a round's seeds had to be made for. */
const shoeStateOf = ({ history, commitment }: RoundRecord): string | undefined =>
  history ?? commitment ?? undefined;

/** Update a record. A seed that this browser sent takes precedence over the server's view of it. */
function recordOf(
  record: RoundRecord,
  view: View,
  mySeats: readonly Seat[],
  ownSeeds: Readonly<Record<string, Sent>>,
): RoundRecord {
  const seats = { ...record.felt.seats };
  for (const { seat, cards } of view.seats)
    if (cards?.length) seats[seat] = mergeCards(seats[seat] ?? [], cards);
  const seeds = { ...record.seeds };
  for (const { seat } of view.phase === "over" ? [] : mySeats) {
    const text = seedOf(ownSeeds[seat], view.seat_seeds[seat] ?? null);
    if (text && !seeds[seat]) seeds[seat] = text;
  }
  return {
    ...record,
    seeds,
    felt: { board: mergeCards(record.felt.board, view.board.cards), seats },
  };
}

/** The seed that was sent and accepted; null while unanswered; else the one in the view. */
function seedOf(sent: Sent | undefined, revealed: string | null): string | null {
  if (sent?.taken) return sent.text;
  return sent?.taken === null ? null : revealed;
}

/** A card once seen never changes. */
const mergeCards = (before: Cards, now: Cards): Cards =>
  Array.from(
    { length: Math.max(before.length, now.length) },
    (_, n) => before[n] ?? now[n] ?? null,
  );

function forgetOldest(store: Store): void {
  const names = Array.from({ length: store.length }, (_, n) => store.key(n) ?? "");
  const rounds = names.filter((name) => name.startsWith(ROUND));
  if (rounds.length < RECORDS_MAX) return;
  const timeOf = (name: string) => readStored<RoundRecord>(store, name)?.at ?? "";
  rounds.sort((a, b) => timeOf(a).localeCompare(timeOf(b)));
  for (const name of rounds.slice(0, rounds.length - RECORDS_MAX + 1)) store.removeItem(name);
}

function readStored<T>(store: Store, name: string): T | null {
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
    // Storage is full. Keep what is there; the page reports missing records.
  }
}
