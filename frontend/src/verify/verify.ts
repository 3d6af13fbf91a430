/** Verifies a revealed round: is every card the one that its shoe deals? */

import type { CardProof, SeedProof } from "../api/types";
import { verifyCards } from "./cardProof";
import { say } from "../words/say.svelte";
import { commitment, dealFromShoe, type SeededShoe } from "./deal";
import type { CheckMessage } from "./checkMessages";
import {
  type Difference,
  type Place,
  groupByPlace,
  placesDealt,
  placesOf,
  turnedCards,
} from "./places";

export type { CardProof, CardLaid, SeedProof } from "../api/types";
export type { Difference, Place } from "./places";

/** As the server returns it: GET .../rounds/{round}/proof. */
export type Proof = SeedProof | CardProof;

export interface DealVerdict {
  kind: string;
  /** True if the seed or the cards match the published hash; null if none was published. */
  committed: boolean | null;
  commitment: string | null;
  /** A null card stays hidden from the reader. */
  places: { place: Place; turned: (string | null)[]; unturned: number }[];
  differences: Difference[];
  /** Further errors. */
  faults: CheckMessage[];
  /** The shoe state that the seeds were made for, if they are for one deal. */
  history: string | null;
  /** True if every card of the shoe is open. */
  whole: boolean;
  agrees: boolean;
}

/** Verify a proof. Throws an error with a message if the document is unusable. */
export const verify = (proof: Proof): DealVerdict =>
  proof.format === 2 ? verifyCards(proof) : verifySeed(proof);

function verifySeed(proof: SeedProof): DealVerdict {
  const { seed } = proof.shoe;
  if (seed === null) throw new Error(say("verify.no-proof.unrevealed"));
  const shoe: SeededShoe = { ...proof.shoe, seed };
  const piles = dealPiles(shoe, proof);
  const { seen: turned, differences } = turnedCards(
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

/** The cards that the shoe deals to each place, in deal order. */
function dealPiles(shoe: SeededShoe, { drawn, round }: SeedProof): Map<Place, string[]> {
  const places = placesDealt(round.actions);
  const cards = dealFromShoe(shoe, drawn + places.length).slice(drawn);
  return groupByPlace(places, cards);
}
