/** Today's play as the server counts it, refreshed every minute during play. */

import type { CareShown } from "../api/types";
import { get, isUnreached } from "../api/ask";

const EVERY = 60_000;
const KEY = "pitbook.reminder";
const TOLD = "pitbook.reminded"; // Minutes played today at the last reminder.

export class Today {
  told: CareShown | null = $state.raw(null);
  /** Minutes between reminders; 0 turns them off. */
  every = $state(Number(localStorage.getItem(KEY) ?? "30"));
  due = $state(false);
  /** True if the server could not be reached. */
  unreached = $state(false);

  look = async (): Promise<void> => {
    this.unreached = false;
    this.told = await get("/api/care").catch((error: unknown) => {
      this.unreached = isUnreached(error);
      return this.told;
    });
    if (this.every > 0 && this.#since >= this.every) this.due = true;
  };

  /** Minutes played since the last reminder, by the server's count on all pages. */
  get #since(): number {
    const [now, before] = [this.told?.minutes ?? 0, Number(localStorage.getItem(TOLD) ?? "0")];
    return now >= before ? now - before : now; // A new day began.
  }

  /** Refresh now and every minute. Returns a function that stops. */
  watch(): () => void {
    void this.look();
    const timer = setInterval(() => void this.look(), EVERY);
    return () => clearInterval(timer);
  }

  remind(minutes: number): void {
    this.every = minutes;
    localStorage.setItem(KEY, String(minutes));
  }

  seen(): void {
    this.due = false;
    localStorage.setItem(TOLD, String(this.told?.minutes ?? 0));
  }
}
