/** Event stream of a tournament clock. Each event is a whole board; time runs on between events. */

import type { ClockBoard as Board, TournamentAt } from "../api/types";
import { get, sentence } from "../api/ask";

const SILENCE = 4_500; // The server sends something every two or three seconds.
const OPENING = 10_000;
const AGAIN = 2_000;
const HEARS = 1_000;

export class BoardLine {
  board: Board | null = $state.raw(null);
  lost = $state(false);
  errorText = $state("");
  /** When the board was read, by this computer's clock. */
  readAt = $state(0);

  #source: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly path: `${TournamentAt}/clock`) {
    this.#open();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
  }

  #open(): void {
    this.#source?.close();
    const source = new EventSource(`${this.path}/events`);
    this.#source = source;
    source.addEventListener("board", (event) => this.#read(event as MessageEvent<string>));
    source.addEventListener("beat", () => this.#hear());
    source.onerror = () => this.#mend(AGAIN);
    this.#mend(this.lost ? OPENING : SILENCE);
  }

  #hear(): void {
    this.lost = false;
    this.#mend(SILENCE);
  }

  #read(event: MessageEvent<string>): void {
    this.board = JSON.parse(event.data) as Board;
    this.readAt = performance.now();
    this.errorText = "";
    this.#hear();
  }

  /** Reconnect unless an event arrives first. */
  #mend(after: number): void {
    if (after === AGAIN) {
      this.lost = true;
      if (!this.board) void this.#ask();
    }
    clearTimeout(this.#timer);
    const due = performance.now() + after;
    this.#timer = setTimeout(() => this.#due(due), after);
  }

  /** A late timer, as in a background tab, first lets pending events arrive. */
  #due(at: number): void {
    if (performance.now() - at > HEARS) return this.#mend(HEARS);
    this.lost = true;
    this.#open();
  }

  /** Ask over HTTP why there is no board; an event stream cannot tell. */
  async #ask(): Promise<void> {
    try {
      await get(this.path);
    } catch (error) {
      this.errorText = sentence(error);
    }
  }
}
