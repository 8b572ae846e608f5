import type { MarkedAccess } from '../evaluation/evaluator.ts';
import { accessAt, type FoundViolations, isPreexisting } from '../evaluation/found-violations.ts';
import { isViolatedOn } from '../evaluation/is-violated.ts';
import { entitlementAt, type SodCatalogue } from '../rulebook/catalogue.ts';
import {
  isShownAsKOfN,
  type PolicyPlace,
  type PolicySides,
  policyAt,
  policySidesAt,
  sideNameAt,
} from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import type { Steps } from '../steps/work-budget.ts';

/** The JSON text of a violation; equal to `JSON.stringify` of its context. */
export function violationJson(index: SodIndex, found: FoundViolations, place: number): string {
  return assemble(shownAt(index, found, place), isPreexisting(found, place), null);
}

/** Gives the JSON text that explains an item, in steps: the properties that follow the others, beginning with a comma. */
export type ItemExplainer = (id: string) => Steps<string>;

/** The same for a violation with explained items, in steps. */
export function* explainedViolationJson(
  index: SodIndex,
  { found, place }: { readonly found: FoundViolations; readonly place: number },
  explainItem: ItemExplainer,
): Steps<string> {
  const shown = shownAt(index, found, place);
  const sides: string[] = [];
  for (let side = 0; side < shown.sides.sideCount; side++) {
    sides.push(yield* explainedItemsJson(shown, side, explainItem));
  }
  return assemble(shown, isPreexisting(found, place), sides);
}

/** Adds members, each beginning with a comma, to the JSON text of an object that is not empty. */
export const withMembers = (json: string, members: string): string =>
  members === '' ? json : `${json.slice(0, -1)}${members}}`;

/** The id of the violated policy. */
export const policyIdAt = (index: SodIndex, found: FoundViolations, place: number): string =>
  policyAt(policyPlaceAt(index, found.policies[place] ?? 0)).policy.id;

/** The ids of the items of a violation; an item on several sides is given for each of them. */
export function forEachItemId(index: SodIndex, { found, place }: ViolationPlace, add: (id: string) => void): number {
  const { catalogue, sides, access } = shownAt(index, found, place);
  const { rows, first, sideCount } = sides;
  const end = rows.starts[first + sideCount] ?? 0;
  const start = rows.starts[first] ?? 0;
  for (let at = start; at < end; at++) {
    const number = rows.values[at] ?? 0;
    if ((access.marks[number] ?? 0) >= access.heldMark) add(entitlementAt(catalogue, number).id);
  }
  return end - start;
}

/** One of the violations found. */
export interface ViolationPlace {
  readonly found: FoundViolations;
  readonly place: number;
}

interface Shown {
  readonly policy: PolicyPlace;
  readonly sides: PolicySides;
  readonly catalogue: SodCatalogue;
  readonly access: MarkedAccess;
  /** A bit for each side with an item that is held. */
  heldSides: number;
}

function shownAt(index: SodIndex, found: FoundViolations, place: number): Shown {
  const policy = policyPlaceAt(index, found.policies[place] ?? 0);
  const sides = policySidesAt(policy);
  return { policy, sides, catalogue: index.catalogue, access: accessAt(found, place), heldSides: 0 };
}

/** `texts` are those of the items of each side, or null for items without reasons. */
function assemble(shown: Shown, preexisting: boolean | null, texts: readonly string[] | null): string {
  const { policy, sides } = shown;
  let conflict = '';
  if (isShownAsKOfN(policy)) {
    for (let side = 0; side < sides.sideCount; side++) {
      const items = textOfSide(shown, side, texts);
      if (items === '') continue;
      const name = JSON.stringify(sideNameAt(policy.table, sides.first + side));
      conflict += `${conflict === '' ? '' : ','}{"name":${name},"criteriaList":[${items}]}`;
    }
    conflict = `"criteria":[${conflict}],"atLeast":${sides.atLeast}`;
  } else {
    const [left, right] = [textOfSide(shown, 0, texts), textOfSide(shown, 1, texts)];
    conflict = `"leftCriteria":{"criteriaList":[${left}]},"rightCriteria":{"criteriaList":[${right}]}`;
  }
  const isHeld = preexisting ?? isViolatedOn(sides, shown.heldSides);
  return `${policyAt(policy).json}${isHeld},"conflictingAccessCriteria":{${conflict}}}`;
}

const textOfSide = (shown: Shown, side: number, texts: readonly string[] | null): string =>
  texts === null ? itemsJson(shown, side) : (texts[side] ?? '');

function itemsJson(shown: Shown, side: number): string {
  const { catalogue } = shown;
  const { rows, first } = shown.sides;
  const { starts, values } = rows;
  const { marks, heldMark } = shown.access;
  let json = '';
  const end = starts[first + side + 1] ?? 0;
  for (let at = starts[first + side] ?? 0; at < end; at++) {
    const number = values[at] ?? 0;
    const mark = marks[number] ?? 0;
    if (mark < heldMark) continue;
    if (mark === heldMark) shown.heldSides |= 1 << side;
    if (json !== '') json += ',';
    json += entitlementAt(catalogue, number).json;
    json += mark === heldMark ? 'true}' : 'false}';
  }
  return json;
}

function* explainedItemsJson(shown: Shown, side: number, explainItem: ItemExplainer): Steps<string> {
  const { catalogue } = shown;
  const { rows, first } = shown.sides;
  const { starts, values } = rows;
  const { marks, heldMark } = shown.access;
  let json = '';
  const end = starts[first + side + 1] ?? 0;
  for (let at = starts[first + side] ?? 0; at < end; at++) {
    const number = values[at] ?? 0;
    const mark = marks[number] ?? 0;
    if (mark < heldMark) continue;
    if (mark === heldMark) shown.heldSides |= 1 << side;
    const item = entitlementAt(catalogue, number);
    json += `${json === '' ? '' : ','}${item.json}${mark === heldMark}${yield* explainItem(item.id)}}`;
  }
  return json;
}
