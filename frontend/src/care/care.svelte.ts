/** How today goes, as the house has it; asked now and then while somebody plays. */

import type { CareShown } from "../api/types";
import { get } from "../api/ask";

const EVERY = 60_000;
const KEY = "pitbook.reminder";

export class Today {
  told: CareShown | null = $state.raw(null);
  /** Minutes between two reminders; none where nobody wants them. */
  every = $state(Number(localStorage.getItem(KEY) ?? "30"));
  #reminded = Date.now();
  due = $state(false);

  look = async (): Promise<void> => {
    this.told = await get<CareShown>("/api/care").catch(() => this.told);
    if (this.every > 0 && Date.now() - this.#reminded >= this.every * EVERY) this.due = true;
  };

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
    this.#reminded = Date.now();
  }
}
