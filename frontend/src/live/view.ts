/** What a table shows one viewer, and what that viewer may ask of it. */

export interface Refusal {
  code: string;
  message: string;
  clause: string | null;
}

interface Refusable {
  refused?: Refusal;
}

export interface AmountOffer extends Refusable {
  amount: string;
}

export interface ChipOffer extends AmountOffer {
  chip: string;
}

export interface WagerOffer extends Refusable {
  do: "put-wager";
  seat: number;
  wager: string;
  min: string;
  max: string;
  step: string;
  now: string;
  /** After one more chip of each kind, one of the smallest less, and none at all. */
  chips?: ChipOffer[];
  less?: AmountOffer;
  clear?: AmountOffer;
}

/** What a play does, so that nobody looks for it in the play's text. */
export interface Effects {
  /** What it declares; empty where it declares nothing. */
  says: string;
  /** The wagers that it puts on the table. */
  puts: string[];
  /** The multiple of the main wager that it is called by, if it is. */
  bets: number | null;
}

export interface Choice extends Effects, Refusable {
  play: string;
  cost: string;
  title: string;
  /** The key that makes it; of one that adds to another play, the key of what it adds. */
  key: string;
  /** The play that this one only adds a wager to. */
  plain: string | null;
  folds: boolean;
}

export interface DecideOffer {
  do: "decide";
  seat: number;
  stage: string;
  stage_title: string;
  choices: Choice[];
}

export interface OtherOffer extends Refusable {
  do: Exclude<string, "put-wager" | "decide">;
  seat?: number;
  on?: boolean;
  reason?: string;
  part?: "gave" | "took";
  place?: number | string;
  finish?: boolean;
}

export type Offer = WagerOffer | DecideOffer | OtherOffer;

export interface Line {
  wager: string;
  stake: string;
  outcome: string | null;
  result: "win" | "push" | "lose" | "void" | "forfeit";
  odds: string | null;
  wins: string;
  clause: string | null;
  title: string;
  outcome_title: string | null;
  words: string;
  chips: Pile[];
}

export type Pile = [value: string, count: number];

export interface Told {
  text: string;
  clause: string | null;
}

export interface SeatResult {
  seat: number;
  player: string;
  lines: Line[];
  wins: string;
  loses: string;
  net: string;
  told: Told[];
}

export interface Result {
  result: string;
  seats: SeatResult[];
  limits: { clause: string; due: string; paid: string; seat?: number }[];
  notes: { note: string; clause: string | null }[];
  house_net: string;
  told: Told[];
}

export interface Seat {
  seat: number;
  player: string | null;
  played_by?: string;
  wagers?: [string, string][];
  held?: string;
  cards?: (string | null)[];
  plays?: string[];
  /** What the hand was declared as, and how many main wagers were put along with that. */
  said?: string | null;
  added?: number;
  waiting?: boolean;
  folded?: boolean;
  /** Why the house had to play the hand: too few chips, or nobody there. */
  forced?: "chips" | "absent" | null;
  void?: string | null;
  net?: string | null;
  /** What the seat has been settled for while others are open, where a person deals. */
  settled?: SeatResult | null;
  /** The wager that a folded hand lies under, where one is alive (CMS-11, LAS-5). */
  tucked?: string | null;
  chips?: Record<string, Pile[]>;
  points?: { low: number; high: number } | null;
}

export interface Area {
  title: string;
  cards: string[];
  points: number | null;
}

/** The dealer's cards as they lie once all are turned (MHL-8). */
export interface Arranged {
  /** As the felt has them printed, from left to right. */
  areas: Area[];
  laid: string[];
  shared_at: number | null;
}

export interface Board {
  name: string;
  cards: (string | null)[];
  told: string | null;
  arranged: Arranged | null;
}

export interface Shoe {
  id: string;
  kind: string;
  decks: number;
  commitment: string | null;
  /** The commitment with all that was dealt from the shoe since: what a seed is made for. */
  history?: string;
}

export interface View {
  table: string;
  kind: "practice" | "house" | "typed";
  unit: string;
  version: number;
  phase: "open" | "wagers" | "deal" | "play" | "settle" | "over" | "agreement" | "retired";
  sheet: { id: string; title: string; hash: string };
  next_sheet: { id: string; title: string; hash: string } | null;
  round: string | null;
  board: Board;
  /** The cards of every place in common, by the felt's names; the board is one of them. */
  common: { place: string; cards: (string | null)[] }[];
  seats: Seat[];
  result: Result | null;
  deadlines: Record<string, string>;
  /** The seats whose players want no more time to bet. */
  ready?: number[];
  /** Why the hand was cut short; with nobody to answer, the floor of the tournament is asked. */
  interruption: { why: string; answers: Record<string, boolean | null> | null } | null;
  shoe: Shoe | null;
  seat_seeds: Record<string, string | null>;
  revealed: { id: string; commitment: string | null; seed?: string | null } | null;
  coach: boolean;
  shuffler: boolean;
  offers: Offer[];
  /** The spot that the round on the layout was arranged for, in practice. */
  arranged: { round: string; stage: number; seat: number } | null;
  /** As whom one is seen at this table: a guest who signed in keeps the guest's name there. */
  you?: string;
  wallet?: string;
  /** Before the deal: what the balance lacks to pay the smallest bet of every street. */
  short?: Short | null;
  rack?: string;
  now?: string;
  /** Who looks on, and the seats whose players have no line open. */
  presence?: { watching: number; away: number[] };
}

export interface Short {
  left: string;
  needed: string;
  more: string;
  message: string;
  clause: string;
}

export interface TableEvent {
  version: number;
  what: string;
  body: Record<string, unknown>;
}

export type Command = { do: string } & Record<string, unknown>;

export const isWager = (offer: Offer): offer is WagerOffer => offer.do === "put-wager";
export const isDecide = (offer: Offer): offer is DecideOffer => offer.do === "decide";

/** "Folded", and why, where its player did not choose to. */
export const foldedTold = ({ forced }: Seat): string =>
  forced ? `Folded: ${forced === "chips" ? "too few chips" : "time ran out"}` : "Folded";

/** For whom a player waits who wants no more time to bet. */
export function readyTold(view: View): string {
  const waiting = view.seats.filter(
    (one) => one.player && one.wagers?.length && !view.ready?.includes(one.seat),
  );
  const names = waiting.map((one) => one.player).join(", ");
  return `You are ready.${names ? ` Waiting for ${names}.` : ""}`;
}

export const isAway = (view: View, seat: Seat): boolean =>
  view.presence?.away.includes(seat.seat) ?? false;

/** The seats at which somebody sits, or has played the round that lies there. */
/** After a stop of the machine nobody at the table is asked, but the floor of the tournament. */
export const floorIsAsked = (view: View): boolean =>
  view.phase === "agreement" && !Object.keys(view.interruption?.answers ?? {}).length;

export function seatsOf(view: View, player: string): Seat[] {
  return view.seats.filter((seat) => seat.player === player || seat.played_by === player);
}

/** The result of a seat as far as there is one: of the round, or of a hand that was settled before. */
export function resultOf(view: View, seat: Seat): SeatResult | null {
  return view.result?.seats.find((one) => one.seat === seat.seat) ?? seat.settled ?? null;
}

export function offer(view: View, what: string, seat?: number): OtherOffer | undefined {
  return view.offers.find(
    (one): one is OtherOffer =>
      one.do === what && (seat === undefined || (one as OtherOffer).seat === seat),
  );
}

export const wagerOffers = (view: View, seat: number): WagerOffer[] =>
  view.offers.filter(isWager).filter((one) => one.seat === seat);

/** The cards that lie at a place in common. */
export const cardsAt = (view: View, place: string): (string | null)[] =>
  view.common.find((one) => one.place === place)?.cards ?? [];

export const decideOffer = (view: View, seat: number): DecideOffer | undefined =>
  view.offers.filter(isDecide).find((one) => one.seat === seat);
