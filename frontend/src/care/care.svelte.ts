/** Today's play as the server counts it, refreshed every minute during play. */

import type { PlayerLimits } from "../api/types";
import { get, isUnreached } from "../api/requests";

const POLL_MS = 60_000;
const KEY = "pitbook.reminder";
const LAST_REMINDER = "pitbook.reminded"; // Minutes played today at the last reminder.

export class Today {
  status: PlayerLimits | null = $state.raw(null);
  /** Minutes between reminders; 0 turns them off. */
  reminderMinutes = $state(Number(localStorage.getItem(KEY) ?? "30"));
  due = $state(false);
  /** True if the server could not be reached. */
  unreached = $state(false);

  refresh = async (): Promise<void> => {
    this.unreached = false;
    this.status = await get("/api/care").catch((error: unknown) => {
      this.unreached = isUnreached(error);
      return this.status;
    });
    if (this.reminderMinutes > 0 && this.#minutesSinceReminder >= this.reminderMinutes)
      this.due = true;
  };

  /** Minutes played since the last reminder, by the server's count on all pages. */
  get #minutesSinceReminder(): number {
    const [now, before] = [
      this.status?.minutes ?? 0,
      Number(localStorage.getItem(LAST_REMINDER) ?? "0"),
    ];
    return now >= before ? now - before : now; // A new day began.
  }

  /** Refresh now and every minute. Returns a function that stops. */
  watch(): () => void {
    void this.refresh();
    const timer = setInterval(() => void this.refresh(), POLL_MS);
    return () => clearInterval(timer);
  }

  setReminder(minutes: number): void {
    this.reminderMinutes = minutes;
    localStorage.setItem(KEY, String(minutes));
  }

  dismiss(): void {
    this.due = false;
    localStorage.setItem(LAST_REMINDER, String(this.status?.minutes ?? 0));
  }
}
