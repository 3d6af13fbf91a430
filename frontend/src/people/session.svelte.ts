/** Who sits at this browser. */

import type { Me } from "../api/types";
import { get, No, post } from "../api/ask";
import { readBy } from "../words/addressed";

const HOME: Record<string, string> = {
  supervisor: "/pit",
  auditor: "/pit",
  organiser: "/night",
  brush: "/night",
  cashier: "/cage",
};

class Session {
  me: Me | null = $state(null);
  known = $state(false);

  /** Ask the house; a stranger is nobody yet. */
  async look(): Promise<void> {
    try {
      const me = await get("/api/me");
      this.me = me.name === null ? null : (me as Me);
    } catch (error) {
      if (!(error instanceof No && error.status === 401)) throw error;
      this.me = null;
    } finally {
      this.known = true;
    }
  }

  /** With a code where there is a second factor; status 428 asks for one. */
  async signIn(name: string, password: string, code: string): Promise<void> {
    const second = code === "" ? {} : { code };
    this.me = await post("/api/sign-in", { name, password, ...second });
  }

  async signOut(): Promise<void> {
    await post("/api/sign-out", {});
    this.me = null;
  }

  /** Where somebody begins. */
  get home(): string {
    return HOME[this.me?.role ?? ""] ?? "/";
  }

  /** Whether a second factor has to be set up before anything else. */
  get isHalf(): boolean {
    return this.me?.needs === "second-factor";
  }

  get isStaff(): boolean {
    return !this.isHalf && (this.me?.role === "supervisor" || this.me?.role === "auditor");
  }

  /** Whether this person has to do with money over the counter. */
  get runsCage(): boolean {
    return this.isStaff || (!this.isHalf && this.me?.role === "cashier");
  }

  /** Whether this person has to do with event nights. */
  get runsNights(): boolean {
    const role = this.me?.role;
    return this.isStaff || (!this.isHalf && (role === "organiser" || role === "brush"));
  }
}

export const session = new Session();
readBy(() => session.me?.name);
