/** Command form: sends a command, shows its notice or error, and refreshes. */

import { RequestError, postOnce, sentence } from "../api/requests";
import { IdempotentRequests } from "../api/idempotency";
import type { Address, Answer, BodyOnce, Plain } from "../api/routes";
import type { Finding } from "../api/types";
import { watch } from "../api/watch";

const NOTICE_MS = 20_000; // Notices disappear after this time. Errors stay until something changes.

/** `Answer` is the type that its commands return; a read-only user takes CommandForm<never>. */
export class CommandForm<Reply = unknown> {
  notice = $state("");
  error = $state("");
  busy = $state(false);
  /** Findings by field from the last error. */
  findings: Finding[] = [];
  #requests = new IdempotentRequests();

  constructor(private readonly onSuccess: (answer: Reply) => Promise<void> | void) {}

  /** Send a command. Returns true if it succeeded. */
  submit<At extends Address<"post">>(
    path: At,
    body: BodyOnce<At, Reply>,
    done: string,
  ): Promise<boolean> {
    const send = (request: string) => postOnce<At, Reply>(path, body, request);
    return this.run(() => this.#requests.send([path, body], send), done);
  }

  /** Run any request with the same notices and errors. */
  async run(request: () => Promise<Reply>, done: string): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.error = this.notice = "";
    this.findings = [];
    try {
      await this.#refresh(await request());
      this.notice = done;
      setTimeout(() => this.notice === done && (this.notice = ""), NOTICE_MS);
      return true;
    } catch (error) {
      this.error = refusalText(error);
      this.findings = findingsOf(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Show the notice even if the refresh fails. */
  async #refresh(answer: Reply): Promise<void> {
    try {
      await this.onSuccess(answer);
    } catch (error) {
      if (!(error instanceof RequestError)) reportError(error);
    }
  }

  /** Clear the error: something has changed since. */
  clearError(): void {
    if (!this.busy) this.error = "";
  }

  /** Show the reason why a command is not allowed now. */
  refuse(refusal: string): void {
    this.notice = "";
    this.error = sentence(new Error(refusal));
  }
}

/** The error message with its clause. */
export function refusalText(error: unknown): string {
  const clause = error instanceof RequestError && error.clause ? ` (${error.clause})` : "";
  return `${sentence(error)}${clause}`;
}

/** Call `onLoad` with the answer at an address whenever it changes. An empty path stops. */
export function follow<At extends Plain>(
  path: () => At | "",
  onLoad: (answer: Answer<"get", At>) => void,
  intervalMs: () => number = () => 5_000,
): void {
  $effect(() => {
    const requestedPath = path();
    return requestedPath === "" ? undefined : watch(requestedPath, onLoad, intervalMs);
  });
}

/** The findings by field that an error carries. */
function findingsOf(error: unknown): Finding[] {
  const body =
    error instanceof RequestError ? (error.details as { findings?: Finding[] } | null) : null;
  return body?.findings ?? [];
}
