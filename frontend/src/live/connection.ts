/** A reconnecting socket to one table. Each command takes effect once, however bad the network. */

import type {
  Command,
  CommandAnswer,
  Presence,
  Refusal,
  ServerFrame,
  TableEvent,
  View,
} from "../api/types";
import { say } from "../words/say.svelte";

export type LineAnswer = { accepted: CommandAnswer["accepted"] } | { refused: Refusal };
export type ConnectionStatus = "connecting" | "live" | "lost" | "ended";

export interface Hooks {
  /** A complete view of the table. */
  onView(view: View): void;
  onEvents(events: TableEvent[]): void;
  /** Who is connected to the table. */
  onPresence(presence: Presence): void;
  onStatus(status: ConnectionStatus, endReason?: string): void;
  /** Why the socket could not be opened: a message if retrying is useless, else null. */
  probe(): Promise<string | null>;
  /** Called when a command is resent for lack of an answer, and when all are answered. */
  onUnanswered?(unanswered: boolean): void;
}

/** The part of WebSocket used here. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
}

const RETRY_MIN = 150;
const RETRY_MAX = 4_000;
const CHECK_EVERY = 250; // Milliseconds between health checks.
const SLEEP_GAP = 1_000; // After such a gap, this page was asleep, not the server.
const PING_AFTER = 3_000; // Ping after this much silence. The server pings slightly earlier.
const LOST_AFTER = 4_000; // After this much silence the connection is lost; the player sees it within 5 s.
const OPEN_TIMEOUT = 10_000; // Opening may take longer on a bad network.
const RESEND_AFTER = 3_000; // Resend a command after this long without an answer.
const VIEW_AFTER = 3_000; // Request a view if none has followed events for this long.
const FINAL = [1009, 4400, 4401]; // Close codes after which reconnecting is useless.

interface PendingCommand {
  frame: string;
  sentAt: number;
  resolve(answer: LineAnswer): void;
  reject(error: Error): void;
}

export class TableConnection {
  #socket: Socket | null = null;
  #open = false;
  #ended = false;
  #retryDelay = RETRY_MIN;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pending = new Map<string, PendingCommand>();
  #healthTimer: ReturnType<typeof setInterval>;
  #lastCheckAt = now();
  #lastFrameAt = now();
  #pinged = false;
  #unanswered = false;
  /** When events came without the view that should follow them. */
  #viewMissingSince: number | null = null;

  constructor(
    private readonly openSocket: (from: number | null) => Socket,
    private readonly hooks: Hooks,
    public version: number | null = null,
    private readonly read: (text: string) => unknown = (text) => JSON.parse(text),
  ) {
    this.#healthTimer = setInterval(() => this.#checkHealth(), CHECK_EVERY);
    this.#connect();
  }

  /** Send a command and resolve with its answer, over as many connections as needed. */
  send(command: Command, request: string = newRequest()): Promise<LineAnswer> {
    const frame = JSON.stringify({ request, command });
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new Error(say("live.line-ended")));
      this.#pending.set(request, { frame, sentAt: now(), resolve, reject });
      this.#sendFrame(frame);
    });
  }

  /** Reconnect now: the browser reports that the network is back. */
  reconnectNow(): void {
    if (this.#open || this.#ended || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#retryDelay = RETRY_MIN;
    this.#connect();
  }

  close(): void {
    this.#end(say("live.table-left"));
    this.#socket?.close();
  }

  /** Ping a silent connection, drop a dead one and resend unanswered commands. */
  #checkHealth(): void {
    const currentTime = now();
    const wasAsleep = currentTime - this.#lastCheckAt > SLEEP_GAP;
    this.#lastCheckAt = currentTime;
    // A background tab or a machine that slept: first process the frames that arrived meanwhile.
    if (wasAsleep) return this.#allowLateFrames(currentTime);
    const silentFor = currentTime - this.#lastFrameAt;
    if (this.#socket !== null && silentFor >= (this.#open ? LOST_AFTER : OPEN_TIMEOUT))
      return this.#drop();
    if (this.#open && silentFor >= PING_AFTER && !this.#pinged) {
      this.#pinged = true;
      this.#sendFrame('{"ping":0}');
    }
    if (this.#viewMissingSince !== null && currentTime - this.#viewMissingSince >= VIEW_AFTER) {
      this.#viewMissingSince = currentTime;
      this.#sendFrame('{"view":true}');
    }
    this.#resendLate(currentTime);
  }

  #allowLateFrames(currentTime: number): void {
    this.#lastFrameAt = Math.max(this.#lastFrameAt, currentTime - PING_AFTER); // Pinged at the next check and judged after that.
    this.#pinged = false;
  }

  /** Treat a silent connection as closed; the browser may never report it. */
  #drop(): void {
    const socket = this.#socket;
    if (socket === null) return;
    void this.#handleClose(socket, { code: CLOSE_SILENT, reason: "" });
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #resendLate(currentTime: number): void {
    const late = [...this.#pending.values()].filter(
      (command) => currentTime - command.sentAt >= RESEND_AFTER,
    );
    for (const command of late) {
      command.sentAt = currentTime;
      this.#sendFrame(command.frame);
    }
    if (late.length && !this.#unanswered) this.#setUnanswered(true);
  }

  #setUnanswered(unanswered: boolean): void {
    this.#unanswered = unanswered;
    this.hooks.onUnanswered?.(unanswered);
  }

  #connect(): void {
    this.#timer = undefined;
    const socket = this.openSocket(this.version);
    this.#socket = socket;
    this.#markAlive();
    socket.onopen = () => this.#handleOpen();
    socket.onmessage = (event) => {
      this.#markAlive();
      this.#handleFrame(this.read(String(event.data)) as ServerFrame);
    };
    socket.onclose = (event) => void this.#handleClose(socket, event);
  }

  #markAlive(): void {
    this.#lastFrameAt = now();
    this.#pinged = false;
  }

  #handleOpen(): void {
    this.#open = true;
    this.#markAlive();
    this.#retryDelay = RETRY_MIN;
    for (const command of this.#pending.values()) {
      command.sentAt = now();
      this.#sendFrame(command.frame);
    }
  }

  async #handleClose(socket: Socket, event: { code: number; reason: string }): Promise<void> {
    if (this.#ended || socket !== this.#socket) return;
    const opened = this.#open || event.code === CLOSE_SILENT;
    this.#open = false;
    this.#socket = null;
    this.hooks.onStatus("lost");
    if (FINAL.includes(event.code)) return this.#end(event.reason || say("live.line-closed"));
    const endReason = opened ? null : await withTimeout(this.hooks.probe());
    if (this.#ended || this.#socket !== null) return;
    if (endReason !== null) return this.#end(endReason);
    this.#timer = setTimeout(() => this.#connect(), this.#retryDelay);
    this.#retryDelay = Math.min(2 * this.#retryDelay, RETRY_MAX);
  }

  #sendFrame(frame: string): void {
    if (this.#open) this.#socket?.send(frame); // Otherwise it is sent after reconnecting.
  }

  #handleFrame(frame: ServerFrame): void {
    // The events of a change, the view after them and the answer to the command share a frame.
    if ("events" in frame) this.#handleEvents(frame.events);
    if ("view" in frame && frame.view) this.#handleView(frame.view);
    if ("answer" in frame && frame.answer) this.#handleAnswer(frame.answer);
    if ("presence" in frame) this.hooks.onPresence(frame.presence);
    if ("ping" in frame) this.#sendFrame(JSON.stringify({ pong: frame.ping }));
  }

  #handleEvents(events: TableEvent[]): void {
    const newEvents = events.filter(
      (event) => this.version === null || event.version > this.version,
    );
    if (newEvents.length === 0) return;
    this.version = newEvents[newEvents.length - 1]?.version ?? this.version;
    this.hooks.onEvents(newEvents);
    this.#viewMissingSince ??= now();
  }

  #handleView(view: View): void {
    if (this.version !== null && view.version < this.version) return; // Events are ahead of this view; a newer view follows.
    this.version = view.version;
    this.#viewMissingSince = null;
    this.hooks.onView(view);
    this.hooks.onStatus("live");
  }

  #handleAnswer({ request, retry_after, ...answer }: CommandAnswer): void {
    const pendingCommand = this.#pending.get(request);
    if (pendingCommand === undefined) return;
    if (retry_after !== undefined) {
      setTimeout(() => this.#sendFrame(pendingCommand.frame), 1000 * retry_after);
      return;
    }
    this.#pending.delete(request);
    if (this.#unanswered && this.#pending.size === 0) this.#setUnanswered(false);
    if (answer.error !== undefined) pendingCommand.reject(new Error(answer.error));
    else pendingCommand.resolve(answer as LineAnswer);
  }

  #end(endReason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    clearInterval(this.#healthTimer);
    for (const { reject } of this.#pending.values()) reject(new Error(endReason));
    this.#pending.clear();
    if (this.#unanswered) this.#setUnanswered(false);
    this.hooks.onStatus("ended", endReason);
  }
}

const CLOSE_SILENT = 4408; // The server's own close code for a silent connection.
const now = () => performance.now();

/** The answer, or null if the server does not reply in time. */
const withTimeout = (answer: Promise<string | null>): Promise<string | null> =>
  Promise.race([
    answer,
    new Promise<null>((resolve) => setTimeout(() => resolve(null), LOST_AFTER)),
  ]);

/** A random request id. Works without TLS, where crypto.randomUUID is missing. */
export function newRequest(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
