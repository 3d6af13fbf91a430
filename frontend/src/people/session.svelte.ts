/** The signed-in user. */

import type { Me } from "../api/types";
import { get, RequestError, post } from "../api/requests";
import { setReader } from "../words/secondPerson";

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

  /** Load the user; null if not signed in. */
  async refresh(): Promise<void> {
    try {
      const me = await get("/api/me");
      this.me = me.name === null ? null : (me as Me);
    } catch (error) {
      if (!(error instanceof RequestError && error.status === 401)) throw error;
      this.me = null;
    } finally {
      this.known = true;
    }
  }

  /** Sign in, with a code if there is a second factor. Status 428 asks for one. */
  async signIn(name: string, password: string, code: string): Promise<void> {
    const second = code === "" ? {} : { code };
    this.me = await post("/api/sign-in", { name, password, ...second });
  }

  async signOut(): Promise<void> {
    await post("/api/sign-out", {});
    this.me = null;
  }

  /** The user's first screen. */
  get home(): string {
    return HOME[this.me?.role ?? ""] ?? "/";
  }

  /** True if a second factor must be set up before anything else. */
  get isHalf(): boolean {
    return this.me?.needs === "second-factor";
  }

  get isStaff(): boolean {
    return !this.isHalf && (this.me?.role === "supervisor" || this.me?.role === "auditor");
  }

  /** True if the role works in the cage. */
  get runsCage(): boolean {
    return this.isStaff || (!this.isHalf && this.me?.role === "cashier");
  }

  /** True if the role works on event nights. */
  get runsNights(): boolean {
    const role = this.me?.role;
    return this.isStaff || (!this.isHalf && (role === "organiser" || role === "brush"));
  }
}

export const session = new Session();
setReader(() => session.me?.name);
