/** The player's seeds: one per deal, made by this browser once it shows the shoe's hash. */

import type { Command, Seat, View } from "../api/types";

const BYTES = 12;

interface PlayerSeed {
  history: string;
  text: string;
}

/** The shoe state that a new seed would be for, or null if the shoe takes no seeds. */
export const shoeState = (view: View | null): string | null =>
  view && view.kind !== "typed" ? (view.shoe?.history ?? view.shoe?.commitment ?? null) : null;

export class Seeds {
  #bySeat: Record<number, PlayerSeed> = $state.raw({});

  constructor(readonly random: () => string = randomSeed) {}

  /** Make a fresh seed for each of the player's seats when a new deal is shown. */
  onView(view: View, mySeats: readonly Seat[]): void {
    const history = shoeState(view);
    if (history === null) return;
    const missing = mySeats.filter(({ seat }) => this.#bySeat[seat]?.history !== history);
    if (!missing.length) return;
    const newSeeds = missing.map(({ seat }) => [seat, { history, text: this.random() }] as const);
    this.#bySeat = { ...this.#bySeat, ...Object.fromEntries(newSeeds) };
  }

  /** The seed for the seat's next bet. It has not been sent yet. */
  next(view: View | null, seat: number): string {
    const seed = this.#bySeat[seat];
    return seed && seed.history === shoeState(view) ? seed.text : "";
  }

  /** Replace the seed. An empty text sends none. */
  change(view: View | null, seat: number, text: string): void {
    const history = shoeState(view);
    if (history !== null) this.#bySeat = { ...this.#bySeat, [seat]: { history, text } };
  }

  /** A bet with its seat's seed, if the seat has none in this deal yet. */
  with(command: Command, view: View | null): Command {
    if (command.do !== "put-wager" && command.do !== "rebet") return command;
    const missingSeed = this.missingSeed(view, command.seat);
    return missingSeed
      ? { ...command, seed: missingSeed.text, history: missingSeed.history }
      : command;
  }

  /** The seed that can still be added for a seat. */
  missingSeed(view: View | null, seat: number): PlayerSeed | null {
    if (!view || typeof view.seat_seeds[seat] === "string") return null;
    const seed = this.#bySeat[seat];
    return seed?.text.trim() && seed.history === shoeState(view) ? seed : null;
  }
}

/** The seed that a command carries, and the shoe state it is for. */
export function seedIn(command: Command): (PlayerSeed & { seat: number }) | null {
  if (!("history" in command) || typeof command.history !== "string") return null;
  const { seat, history } = command;
  const text = command.do === "seat-seed" ? command.text : command.seed;
  return typeof text === "string" ? { seat, history, text } : null;
}

/** 96 random bits in hexadecimal. */
function randomSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
