/** A revealed round held against its shoe: is every card the one that the shoe deals there? */

import type { CardProof, SeedProof } from "../api/types";
import { verifyCards } from "./cardwise";
import { say } from "../words/say.svelte";
import { commitment, dealFromShoe, type SeededShoe } from "./deal";
import type { CheckSaying } from "./sayings";
import {
  type Difference,
  type Place,
  groupByPlace,
  placesDealt,
  placesOf,
  turnedOf,
} from "./turned";

export type { CardProof, Laid, SeedProof } from "../api/types";
export type { Difference, Place } from "./turned";

/** As the house gives it: GET .../rounds/{round}/proof. */
export type Proof = SeedProof | CardProof;

export interface DealVerdict {
  kind: string;
  /** The seed or the cards have the published hash; null where nothing was published. */
  committed: boolean | null;
  commitment: string | null;
  /** null is a card that stays closed to the reader. */
  places: { place: Place; turned: (string | null)[]; unturned: number }[];
  differences: Difference[];
  /** What else is wrong with it. */
  faults: CheckSaying[];
  /** What the seeds were made for, where they are for one deal. */
  history: string | null;
  /** Whether every card of the shoe is opened. */
  whole: boolean;
  agrees: boolean;
}

/** The proof judged; throws with a sentence where the document cannot be used. */
export const verify = (proof: Proof): DealVerdict =>
  proof.format === 2 ? verifyCards(proof) : verifySeed(proof);

function verifySeed(proof: SeedProof): DealVerdict {
  const { seed } = proof.shoe;
  if (seed === null) throw new Error(say("verify.no-proof.unrevealed"));
  const shoe: SeededShoe = { ...proof.shoe, seed };
  const piles = dealPiles(shoe, proof);
  const { seen: turned, differences } = turnedOf(
    proof.round.actions,
    (place, n) => piles.get(place)?.[n],
  );
  const committed = shoe.commitment === null ? null : shoe.commitment === commitment(shoe);
  return {
    kind: shoe.kind,
    committed,
    commitment: shoe.commitment,
    places: placesOf(piles, turned),
    differences,
    faults: [],
    history: null,
    whole: true,
    agrees: differences.length === 0 && committed !== false,
  };
}

/** What the shoe lays at each place, in the order of the deal. */
function dealPiles(shoe: SeededShoe, { drawn, round }: SeedProof): Map<Place, string[]> {
  const places = placesDealt(round.actions);
  const cards = dealFromShoe(shoe, drawn + places.length).slice(drawn);
  return groupByPlace(places, cards);
}
