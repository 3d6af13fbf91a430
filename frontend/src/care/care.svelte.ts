/** How today goes, as the house has it; asked now and then while somebody plays. */

import type { CareShown } from "../api/types";
import { get, isUnreached } from "../api/ask";

const EVERY = 60_000;
const KEY = "pitbook.reminder";
const TOLD = "pitbook.reminded"; // How many of today's minutes were played at the last word.

export class Today {
  told: CareShown | null = $state.raw(null);
  /** Minutes between two reminders; none where nobody wants them. */
  every = $state(Number(localStorage.getItem(KEY) ?? "30"));
  due = $state(false);
  /** Whether the house did not answer, so that nothing is known. */
  unreached = $state(false);

  look = async (): Promise<void> => {
    this.unreached = false;
    this.told = await get("/api/care").catch((error: unknown) => {
      this.unreached = isUnreached(error);
      return this.told;
    });
    if (this.every > 0 && this.#since >= this.every) this.due = true;
  };

  /** Minutes of play since then, by the house's own count: another table or a page that is loaded anew is no pause. */
  get #since(): number {
    const [now, before] = [this.told?.minutes ?? 0, Number(localStorage.getItem(TOLD) ?? "0")];
    return now >= before ? now - before : now; // Another day.
  }

  /** Look now, and then every minute, until told otherwise. */
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
