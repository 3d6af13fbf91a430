/** A table over a socket that comes back by itself: what is sent has one effect, however bad the line. */

import type { Command, CommandAnswer, Refusal, SocketTold, TableEvent, View } from "../api/types";
import { say } from "../words/say.svelte";

export type LineAnswer = { accepted: CommandAnswer["accepted"] } | { refused: Refusal };
export type Standing = "connecting" | "live" | "lost" | "ended";

export interface Hooks {
  /** A whole table; `since` where it follows a gap that no event fills. */
  seen(view: View): void;
  happened(events: TableEvent[]): void;
  stands(status: Standing, why?: string): void;
  /** Why a socket could not be opened: a sentence where trying again is no use. */
  probe(): Promise<string | null>;
  /** Whether a command has had no answer for so long that it is sent again. */
  unanswered?(is: boolean): void;
}

/** The part of a WebSocket that we use. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
}

const WAIT_MIN = 150;
const WAIT_MAX = 4_000;
const BEAT = 250; // How often the line is looked at.
const ASLEEP = 1_000; // Looked at so late, this page was asleep, not the house.
const CALL = 3_000; // Nothing was heard for so long: we call. The house calls a moment before.
const SILENT = 4_000; // And for so long: it is lost, and 5 s are not over.
const OPENING = 10_000; // What is opened on a bad network may take longer.
const ANSWER = 3_000; // A command without an answer for so long is sent again.
const FINAL = [1009, 4400, 4401]; // Codes after which coming back would change nothing.

interface Waiting {
  frame: string;
  sentAt: number;
  resolve(answer: LineAnswer): void;
  reject(error: Error): void;
}

export class LiveLine {
  #wire: Wire | null = null;
  #open = false;
  #ended = false;
  #wait = WAIT_MIN;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting = new Map<string, Waiting>();
  #beat: ReturnType<typeof setInterval>;
  #looked = now();
  #heard = now();
  #called = false;
  #unanswered = false;

  constructor(
    private readonly dial: (from: number | null) => Wire,
    private readonly hooks: Hooks,
    public version: number | null = null,
    private readonly read: (text: string) => unknown = (text) => JSON.parse(text),
  ) {
    this.#beat = setInterval(() => this.#watch(), BEAT);
    this.#connect();
  }

  /** A command's answer, over as many connections as it takes. */
  send(command: Command, request: string = newRequest()): Promise<LineAnswer> {
    const frame = JSON.stringify({ request, command });
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new Error(say("live.line-ended")));
      this.#waiting.set(request, { frame, sentAt: now(), resolve, reject });
      this.#put(frame);
    });
  }

  /** Ask for the whole table; it comes to `seen`. */
  look(): void {
    this.#put('{"view":true}');
  }

  /** Try at once: the browser says that the network is back. */
  hurry(): void {
    if (this.#open || this.#ended || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#wait = WAIT_MIN;
    this.#connect();
  }

  close(): void {
    this.#end(say("live.table-left"));
    this.#wire?.close();
  }

  /** Whether the line lives: silence is called, then taken for a loss; an answer that is due, asked for. */
  #watch(): void {
    const at = now();
    const asleep = at - this.#looked > ASLEEP;
    this.#looked = at;
    // A tab in the background, or a machine that slept: first hear what has come meanwhile.
    if (asleep) return this.#forgive(at);
    const silent = at - this.#heard;
    if (this.#wire !== null && silent >= (this.#open ? SILENT : OPENING)) return this.#hangUp();
    if (this.#open && silent >= CALL && !this.#called) {
      this.#called = true;
      this.#put('{"ping":0}');
    }
    this.#askAgain(at);
  }

  #forgive(at: number): void {
    this.#heard = Math.max(this.#heard, at - CALL); // Called at the next look, and judged after that.
    this.#called = false;
  }

  /** The other end says nothing: it may never close, so nobody waits until it does. */
  #hangUp(): void {
    const wire = this.#wire;
    if (wire === null) return;
    void this.#closed(wire, { code: SILENCE, reason: "" });
    wire.onopen = wire.onmessage = wire.onclose = null;
    wire.close();
  }

  #askAgain(at: number): void {
    const late = [...this.#waiting.values()].filter((command) => at - command.sentAt >= ANSWER);
    for (const command of late) {
      command.sentAt = at;
      this.#put(command.frame);
    }
    if (late.length && !this.#unanswered) this.#say(true);
  }

  #say(unanswered: boolean): void {
    this.#unanswered = unanswered;
    this.hooks.unanswered?.(unanswered);
  }

  #connect(): void {
    this.#timer = undefined;
    const wire = this.dial(this.version);
    this.#wire = wire;
    this.#hear();
    wire.onopen = () => this.#opened();
    wire.onmessage = (event) => {
      this.#hear();
      this.#take(this.read(String(event.data)) as SocketTold);
    };
    wire.onclose = (event) => void this.#closed(wire, event);
  }

  #hear(): void {
    this.#heard = now();
    this.#called = false;
  }

  #opened(): void {
    this.#open = true;
    this.#hear();
    this.#wait = WAIT_MIN;
    if (this.version !== null) this.look();
    for (const command of this.#waiting.values()) {
      command.sentAt = now();
      this.#put(command.frame);
    }
  }

  async #closed(wire: Wire, event: { code: number; reason: string }): Promise<void> {
    if (this.#ended || wire !== this.#wire) return;
    const opened = this.#open || event.code === SILENCE;
    this.#open = false;
    this.#wire = null;
    this.hooks.stands("lost");
    if (FINAL.includes(event.code)) return this.#end(event.reason || say("live.line-closed"));
    const why = opened ? null : await inTime(this.hooks.probe());
    if (this.#ended || this.#wire !== null) return;
    if (why !== null) return this.#end(why);
    this.#timer = setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, WAIT_MAX);
  }

  #put(frame: string): void {
    if (this.#open) this.#wire?.send(frame); // Else it goes with the next connection.
  }

  #take(frame: SocketTold): void {
    // What happened and the answer that brought it about may share a frame.
    if ("events" in frame) this.#happened(frame.events);
    if ("view" in frame) this.#viewed(frame.view);
    if ("answer" in frame && frame.answer) this.#answered(frame.answer);
    if ("ping" in frame) this.#put(JSON.stringify({ pong: frame.ping }));
  }

  #happened(events: TableEvent[]): void {
    const fresh = events.filter((event) => this.version === null || event.version > this.version);
    if (fresh.length === 0) return;
    this.version = fresh[fresh.length - 1]?.version ?? this.version;
    this.hooks.happened(fresh);
    this.look();
  }

  #viewed(view: View): void {
    if (this.version !== null && view.version < this.version) return; // Events are ahead; another view comes.
    this.version = view.version;
    this.hooks.seen(view);
    this.hooks.stands("live");
  }

  #answered({ request, retry_after, ...answer }: CommandAnswer): void {
    const waiting = this.#waiting.get(request);
    if (waiting === undefined) return;
    if (retry_after !== undefined) {
      setTimeout(() => this.#put(waiting.frame), 1000 * retry_after);
      return;
    }
    this.#waiting.delete(request);
    if (this.#unanswered && this.#waiting.size === 0) this.#say(false);
    if (answer.error !== undefined) waiting.reject(new Error(answer.error));
    else waiting.resolve(answer as LineAnswer);
  }

  #end(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    clearInterval(this.#beat);
    for (const { reject } of this.#waiting.values()) reject(new Error(why));
    this.#waiting.clear();
    if (this.#unanswered) this.#say(false);
    this.hooks.stands("ended", why);
  }
}

const SILENCE = 4408; // As the house itself calls it.
const now = () => performance.now();

/** An answer, or none where nobody gives one: a house that hangs answers no question. */
const inTime = (answer: Promise<string | null>): Promise<string | null> =>
  Promise.race([answer, new Promise<null>((resolve) => setTimeout(() => resolve(null), SILENT))]);

/** An id that nobody has chosen before; also where the page is not served over TLS. */
export function newRequest(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
