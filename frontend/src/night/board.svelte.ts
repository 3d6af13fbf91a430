/** Event stream of a tournament clock. Each event is a whole board; time runs on between events. */

import type { ClockBoard as Board, TournamentAt } from "../api/types";
import { get, sentence } from "../api/requests";

const SILENCE_MS = 4_500; // The server sends something every two or three seconds.
const OPENING_MS = 10_000;
const RETRY_MS = 2_000;
const GRACE_MS = 1_000;

export class BoardStream {
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
    source.addEventListener("board", (event) => this.#onBoard(event as MessageEvent<string>));
    source.addEventListener("beat", () => this.#onBeat());
    source.onerror = () => this.#reconnectAfter(RETRY_MS);
    this.#reconnectAfter(this.lost ? OPENING_MS : SILENCE_MS);
  }

  #onBeat(): void {
    this.lost = false;
    this.#reconnectAfter(SILENCE_MS);
  }

  #onBoard(event: MessageEvent<string>): void {
    this.board = JSON.parse(event.data) as Board;
    this.readAt = performance.now();
    this.errorText = "";
    this.#onBeat();
  }

  /** Reconnect unless an event arrives first. */
  #reconnectAfter(delay: number): void {
    if (delay === RETRY_MS) {
      this.lost = true;
      if (!this.board) void this.#probe();
    }
    clearTimeout(this.#timer);
    const dueAt = performance.now() + delay;
    this.#timer = setTimeout(() => this.#onTimer(dueAt), delay);
  }

  /** A late timer, as in a background tab, first lets pending events arrive. */
  #onTimer(scheduledFor: number): void {
    if (performance.now() - scheduledFor > GRACE_MS) return this.#reconnectAfter(GRACE_MS);
    this.lost = true;
    this.#open();
  }

  /** Ask over HTTP why there is no board; an event stream cannot tell. */
  async #probe(): Promise<void> {
    try {
      await get(this.path);
    } catch (error) {
      this.errorText = sentence(error);
    }
  }
}
