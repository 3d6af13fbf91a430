/** A night as the house tells it: amounts are text, and what may be done comes with a reason why not. */

export interface NightNamed {
  event: string;
  phase: "made" | "open" | "closed";
  charity: string;
  licence: string;
  gaming_date: string;
  zone: string;
  /** To practise: any date, in play money. */
  rehearsal: boolean;
  house: string;
}

export interface NightTable {
  table: string;
  sheet: { id: string; title: string; hash: string; venue: string };
  derived: boolean;
  /** The sheet that a derived one was made from; earlier records have its hash alone. */
  base_sheet: { id: string; title: string; hash: string; venue: string } | null;
  differences: string[];
}

export interface TournamentNamed {
  tournament: string;
  title: string;
  status: string;
  entrants: number;
  players_left: number;
}

export interface NightShown extends NightNamed {
  /** When the gaming date ends, by the clock on the wall; null: when it closes. */
  ends_at: string | null;
  /** After closing: what is kept for whom. */
  unclaimed: Record<string, string>;
  cash: string;
  outstanding: string;
  chips: Record<string, string>;
  slips: number;
  tables: NightTable[];
  tournaments: TournamentNamed[];
  interruptions: string[];
  version: number;
}

/** A thing that may be done, null, or why it may not. */
export type Offers = Record<string, string | null>;

/** Whether a ticket is good, and how often and when a browser opened it to play. */
export interface TicketShown {
  revoked: boolean;
  opened: number;
  opened_at: string | null;
}

/** A player's code, as the desk shows it. */
export interface Code {
  player: string;
  link: string;
  picture: string;
  rehearsal?: boolean;
  /** Whether the player has an account, and signs in to play. */
  account?: boolean;
}

export interface Entrant {
  player: string;
  place: number | null;
  table: number | null;
  seat: number | null;
  spent: string;
  chips: string;
  due: string;
  paid: string;
  owed: string;
  re_buys: number;
  add_ons: number;
  /** When the player came to the desk, if so. */
  checked_in: string | null;
  ticket: TicketShown;
  offers: Offers;
}

export interface RoomTable {
  table: number;
  in_hand: boolean;
  to_complete: boolean;
  seats: { seat: number; player: string }[];
}

/** A live table of the room: how its round stands, and what may be asked of it. */
export interface DealtTable {
  number: number;
  table: string;
  round: number | null;
  phase: string;
  waiting: string[];
  /** Who must still say whether an interrupted hand is finished. */
  must_agree: string[] | null;
  /** Why the machine stopped it in mid-hand: the floor is asked. */
  stopped: string | null;
  offers: Offers;
}

export interface Dealt {
  tables: DealtTable[];
  /** Who should go out, fewest chips first; those named together share their places. */
  proposed_out: string[][];
}

export interface Price {
  costs: string;
  fee: string;
  chips: string;
}

export interface TournamentShown {
  id: string;
  own: string;
  title: string;
  kind: string;
  status: string;
  announced: boolean;
  started: boolean;
  announcement: string;
  buy_in: Price;
  re_buy: Price | null;
  add_on: Price | null;
  prize_money: string;
  fees: string;
  clock: Board;
  players: Entrant[];
  tables: RoomTable[];
  /** Null where chips are counted by hand. */
  dealt: Dealt | null;
  moves: { player: string; table: number; seat: number }[];
  breakable: number | null;
  offers: Offers;
  /** Tables whose hand the machine cut; the floor goes on or interrupts. */
  stopped: number[];
  /** What an interruption would come to. */
  cut_short: string;
  past: { number: number; words: string; last: boolean }[];
  version: number;
}

export interface Limit {
  wager: string;
  min?: string;
  max?: string;
  step?: string;
}

export interface Board {
  tournament: string;
  title: string;
  charity?: string;
  rehearsal?: boolean;
  status: string;
  started: boolean;
  level: number;
  levels: number;
  on_break: boolean;
  running: boolean;
  over: boolean;
  left: number;
  next_break: number | null;
  limits: Limit[];
  next_limits: Limit[] | null;
  players_left: number;
  entrants: number;
  average_stack: string;
  prize_money: string;
  prizes: string[];
  posted: boolean;
  /** Once it is over: who has which place and what it is paid, the best first. */
  results: { place: number; player: string; due: string }[];
}

export interface Slip {
  receipt: string;
  slip: number;
  what: "float" | "sold" | "redeemed" | "unclaimed";
  player: string | null;
  amount: string;
  at: string;
  by: string;
  undone: string | null;
}
