/** Somebody at a desk of a night: asks, hears yes or a sentence, and looks again. */

import { get, No, postOnce, sentence } from "../api/ask";
import { Once } from "../api/once";
import type { Address, Answer, BodyOnce, Plain } from "../api/routes";
import type { Finding } from "../api/types";

const STAYS = 20_000; // A yes that was read; what is refused stays until something changes.

/** Every address that it asks at tells what it goes on with; whoever but looks at one takes CommandForm<never>. */
export class CommandForm<Told = unknown> {
  notice = $state("");
  error = $state("");
  busy = $state(false);
  /** What the last no said of each field. */
  findings: Finding[] = [];
  #once = new Once();

  constructor(private readonly after: (answer: Told) => Promise<void> | void) {}

  /** Ask for something; whether it was done. */
  submit<At extends Address<"post">>(
    path: At,
    body: BodyOnce<At, Told>,
    done: string,
  ): Promise<boolean> {
    const send = (request: string) => postOnce<At, Told>(path, body, request);
    return this.run(() => this.#once.ask([path, body], send), done);
  }

  /** The same with a question that has its own ways. */
  async run(request: () => Promise<Told>, done: string): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.error = this.notice = "";
    this.findings = [];
    try {
      await this.#goOn(await request());
      this.notice = done;
      setTimeout(() => this.notice === done && (this.notice = ""), STAYS);
      return true;
    } catch (error) {
      this.error = refusalText(error);
      this.findings = findingsOf(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** It is done, and said to be, though the look that follows may find nobody. */
  async #goOn(answer: Told): Promise<void> {
    try {
      await this.after(answer);
    } catch (error) {
      if (!(error instanceof No)) reportError(error);
    }
  }

  /** What was refused may be so no more: something has changed since. */
  clearError(): void {
    if (!this.busy) this.error = "";
  }

  /** Something that cannot be done now: the reason, where it is looked for. */
  refuse(why: string): void {
    this.notice = "";
    this.error = sentence(new Error(why));
  }
}

/** A refusal with its clause. */
export function refusalText(error: unknown): string {
  const clause = error instanceof No && error.clause ? ` (${error.clause})` : "";
  return `${sentence(error)}${clause}`;
}

/** Look at something again and again while it is on the screen; no path, no look. */
export function poll<At extends Plain>(
  path: () => At | "",
  onLoad: (answer: Answer<"get", At>) => void,
  every: () => number = () => 5_000,
): void {
  $effect(() => {
    const requestedPath = path();
    if (requestedPath === "") return;
    let gone = false;
    const look = () =>
      get(requestedPath as At)
        .then((answer) => gone || onLoad(answer))
        .catch(() => undefined); // The next look may do better; what was asked for is told.
    const timer = setInterval(look, every());
    return () => {
      gone = true;
      clearInterval(timer);
    };
  });
}

/** What a no says of single fields, where it does. */
function findingsOf(error: unknown): Finding[] {
  const body = error instanceof No ? (error.told as { findings?: Finding[] } | null) : null;
  return body?.findings ?? [];
}
