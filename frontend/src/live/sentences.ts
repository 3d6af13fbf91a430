/** Turns table events into sentences for screen readers and the log. */

import type { EventBody, Result, Seat, SeatResult, TableEvent, View } from "../api/types";
import { spokenCards } from "../words/cards";
import { isLoss, isZero, isWin, formatSigned } from "../words/money";
import { say } from "../words/say.svelte";

/** Sentences for events, as seen by the player at these seats. */
export function describeEvents(
  events: readonly TableEvent[],
  mySeatNumbers: readonly number[],
  titles: Titles = (wager) => wager,
): string[] {
  const sentences = events
    .map((event) => describeEvent(event, mySeatNumbers, titles))
    .filter((sentence) => sentence !== null);
  return [...dealSentences(events, mySeatNumbers), ...sentences];
}

// A result would spoil cards that are still face down; `settlementSentences` announces it in time.
const ANNOUNCED_LATER = ["settle", "settled"];

/** At a table with a human dealer each hand is announced when it is settled. */
const isLater = (what: string, body: EventBody): boolean =>
  ANNOUNCED_LATER.includes(what) && !body.settled;

/** The name of a wager on the layout. */
type Titles = (wager: string) => string;

function describeEvent(
  { what, body }: TableEvent,
  mySeatNumbers: readonly number[],
  titles: Titles,
): string | null {
  if (isLater(what, body)) return null;
  const isMine = mySeatNumbers.includes(Number(body.seat ?? body.place));
  const mineToTell = isMine ? OWN_EVENTS[what] : undefined;
  if (mineToTell) return mineToTell(body, titles);
  if (isMine && what === "turn") return null; // One sentence covers the whole hand.
  if (typeof body.told === "string") return body.told;
  return OTHER_EVENTS[what]?.(body) ?? null;
}

const OWN_EVENTS: Record<string, (body: EventBody, titles: Titles) => string> = {
  wager: ({ wager, amount }, titles) =>
    say("live.you-bet-on", { amount: String(amount), wager: titles(String(wager)) }),
  decide: decisionText,
  absent: automaticPlayText,
};

const OTHER_EVENTS: Record<string, (body: EventBody) => string> = {
  sat: ({ player, seat }) => say("live.sat", { player: String(player), seat: String(seat) }),
  left: ({ player, seat }) => say("live.left", { player: String(player), seat: String(seat) }),
  refilled: ({ given }) => say("live.refilled", { given: String(given) }),
  interrupted: ({ why }) => say("live.interrupted", { why: String(why) }),
  ready: ({ player, on }) => say("live.is-ready", { player: String(player), on: on === true }),
  coach: ({ on }) => say("live.coach", { on: on === true }),
};

/** The reason a play was automatic: no chips or a timeout. */
function automaticPlayText(body: EventBody): string {
  const { lacks } = body;
  return lacks
    ? say("live.too-few", { title: lacks.bet, least: lacks.least })
    : say("live.time-ran-out", { decided: decisionText(body) });
}

function decisionText(body: EventBody): string {
  if (body.folded) return say("live.you-fold");
  const { says, puts = [], bets } = body;
  if (says) return declareText(says, puts);
  const [play, cost] = [String(body.play), String(body.cost)];
  if (bets !== null) return say("live.you-bet", { play, cost });
  return isZero(cost) ? say("live.you-play", { play }) : say("live.you-play-for", { play, cost });
}

function declareText(hand: string, puts: readonly string[]): string {
  const wagers = puts.map((wager) => say("live.wager", { wager }));
  return wagers.length
    ? say("live.you-declare-with", { hand, wagers })
    : say("live.you-declare", { hand });
}

function dealSentences(events: readonly TableEvent[], mySeatNumbers: readonly number[]): string[] {
  return mySeatNumbers.flatMap((seat) => {
    const cards = events
      .filter(({ what, body }) => what === "turn" && body.place === seat && body.card)
      .map(({ body }) => String(body.card));
    if (!cards.length) return [];
    const fields = { cards: spokenCards(cards) };
    return [
      mySeatNumbers.length > 1
        ? say("live.your-cards-at", { ...fields, seat })
        : say("live.your-cards", fields),
    ];
  });
}

/** Marks a hand that was settled while others are still open. */
export const SETTLED_EARLY = { result: "settled" };

/** One seat's result in a few words. */
export function headline(
  result: Pick<Result, "result">,
  seat: SeatResult,
  viewedPlayer: string | null = null,
): string {
  const inAction = seat.lines.some((line) => line.result !== "void");
  if (!inAction) {
    const ending = result.result;
    return say(
      ending === "misdeal" ? "live.misdeal" : ending === "dead" ? "live.dead" : "live.void",
    );
  }
  return viewedPlayer === null ? yourNet(seat.net) : theirNet(seat.net, viewedPlayer);
}

function yourNet(net: string): string {
  if (isWin(net)) return say("live.you-win", { amount: net });
  return isLoss(net) ? say("live.you-lose", { amount: net.slice(1) }) : say("live.you-even");
}

function theirNet(net: string, viewedPlayer: string): string {
  if (isWin(net)) return say("live.wins", { who: viewedPlayer, amount: net });
  return isLoss(net)
    ? say("live.loses", { who: viewedPlayer, amount: net.slice(1) })
    : say("live.even", { who: viewedPlayer });
}

/** Results and balance for screen readers, once the cards are shown. */
export function settlementSentences(view: View, mySeatNumbers: readonly Seat[]): string[] {
  const { result } = view;
  if (result === null) return [];
  const mineSettled = result.seats.filter((settled) =>
    mySeatNumbers.some((seat) => seat.seat === settled.seat),
  );
  const others = result.seats.filter((settled) => !mineSettled.includes(settled));
  return [
    ...mineSettled.flatMap((settled) => [
      ...(mineSettled.length > 1 ? [say("live.spot", { seat: settled.seat })] : []),
      ...settled.told.map((line) => line.text),
      `${headline(result, settled)}.`,
    ]),
    ...result.told.map((line) => line.text),
    ...others.map(({ seat, player, net }) =>
      say("live.seat-nets", { seat, player, net: formatSigned(net) }),
    ),
    ...(view.wallet !== undefined && mineSettled.length
      ? [say("live.balance", { left: view.wallet })]
      : []),
  ];
}
