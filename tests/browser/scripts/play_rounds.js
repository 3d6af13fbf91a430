// Plays rounds by keyboard as fast as the server answers, using only what the screen shows.
// The same seed and cards give the same rounds, whatever the timing.
async ([rounds, seed, balanceMin, skipAnimations]) => {
  const POLL_MS = 20;
  const RETRY_MS = 4_000; // After this long without an effect, press again.
  const TRIES = 5;
  const SKIP_MS = 30;
  const ANIMATED_EVERY = 20; // One round in this many is shown with its animation.

  const actions = () => document.querySelector('[role="group"][aria-label="Actions"]');
  const balance = () => document.querySelector("header b").textContent.trim();
  const result = () => document.querySelector('[role="tabpanel"] :is(h2, h3) b')?.textContent.trim();
  const refusal = () => actions().querySelector('[role="alert"]').textContent.trim();
  const buttons = () => [...actions().querySelectorAll("button[aria-keyshortcuts]")];
  const buttonNamed = (name) => buttons().find((button) => button.textContent.trim().startsWith(name));
  const isEnabled = (button) => button !== undefined && button.getAttribute("aria-disabled") !== "true";
  const isDeciding = () =>
    [...document.querySelectorAll("main p")].some((text) => text.textContent.includes(": your turn"));
  const playKeys = () =>
    buttons()
      .filter((button) => isEnabled(button) && button.matches(".play:not([aria-pressed])"))
      .map((button) => button.getAttribute("aria-keyshortcuts"));
  const hasBet = () => buttonNamed("Deal")?.dataset.staked === "true";
  const isOver = () => buttonNamed("Deal") !== undefined && !hasBet() && result() !== undefined;

  let state = 0; // Set from the seed for each round.
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const press = (key) =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

  /** Resolves to true once the condition holds, or to false after the time; null waits forever. */
  const waitFor = (ms, condition) =>
    new Promise((resolve) => {
      if (condition()) return resolve(true);
      const timer = ms === null ? 0 : setTimeout(() => end(false), ms);
      const observer = new MutationObserver(() => condition() && end(true));
      const end = (isMet) => {
        observer.disconnect();
        clearTimeout(timer);
        resolve(isMet);
      };
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    });
  const fetchView = async () => (await fetch(`/api/tables/${table}`)).json();
  const ownSeat = (view) => view.seats.find((seat) => seat.player !== null);

  const serverBets = async () => {
    const view = await fetchView();
    return JSON.stringify([view.phase, ownSeat(view).wagers]);
  };
  /** Press a key that must take effect only once: wait until the server's bets change or it refuses. */
  const pressOnce = async (key, betsBefore, isRefused = refusal) => {
    for (let n = 0; n < TRIES; n++) {
      press(key);
      const deadline = performance.now() + RETRY_MS;
      while (performance.now() < deadline) {
        if (isRefused() || (await serverBets()) !== betsBefore) return;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    }
    throw new Error(`${key} has no effect: ${actions().textContent}`);
  };

  /** Repeat the last bets, often with one more chip, which is sometimes taken back. */
  async function bet() {
    const [addsChip, chip, steps, takesBack] = [random(2), 1 + random(2), random(3), random(3) === 0];
    if (hasBet()) return;
    await pressOnce("r", await serverBets(), () => false); // An older refusal is still on screen.
    await waitFor(null, hasBet);
    if (!addsChip) return;
    const before = await serverBets();
    press(String(chip));
    for (let n = steps; n > 0; n--) press("ArrowRight");
    await pressOnce("ArrowUp", before);
    const after = await serverBets();
    if (after !== before && takesBack) await pressOnce("u", after);
  }

  /** A round can end at once, and a second Enter would then deal another. */
  async function deal() {
    press("Enter");
    while (!(await waitFor(RETRY_MS, () => isDeciding() || isOver())))
      if ((await fetchView()).phase === "wagers") press("Enter");
  }

  async function decide() {
    for (;;) {
      await waitFor(null, () => isOver() || (isDeciding() && playKeys().length > 0));
      if (isOver()) return;
      if (isEnabled(buttonNamed("Double")) && random(4) === 0) press("d");
      const keys = playKeys();
      press(keys[random(keys.length)].toLowerCase());
      await waitFor(null, () => isOver() || playKeys().length === 0);
    }
  }

  const table = location.pathname.split("/").pop();
  const played = [];
  let isSkipping = false;
  const skipTimer = setInterval(() => isSkipping && press("Shift"), SKIP_MS); // Any key ends the animation.
  await waitFor(null, () => isEnabled(buttonNamed("Deal")));
  while (played.length < rounds) {
    state = Math.imul(seed ^ Math.imul(played.length + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
    isSkipping = skipAnimations && played.length % ANIMATED_EVERY !== 0;
    const before = hasBet() ? null : balance();
    await bet();
    const wagers = ownSeat(await fetchView()).wagers;
    await deal();
    await decide();
    const view = await fetchView();
    played.push({ before, wagers, shown: balance(), net: result(), wallet: view.wallet, view });
    if (Number(view.wallet) < balanceMin || !isEnabled(buttonNamed("Rebet"))) break; // Too little for the same bets.
  }
  clearInterval(skipTimer);
  return played;
}
