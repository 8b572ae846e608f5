import { ApiError } from '@access-admin/client';
import { ASPECTS, type Aspect } from './edit.ts';

/** A part of the form that a text of the service is about. */
export type Place = Exclude<Aspect, 'rule'> | 'atLeast' | 'sides' | `side ${number}` | `side ${number} name`;

/** The texts of the service, each at the part of the form that it is about. */
export interface Refusals {
  readonly byPlace: ReadonlyMap<Place, readonly string[]>;
  /** Whether every text has a place, so that nothing else has to be shown. */
  readonly isComplete: boolean;
}

/** Where the texts of a refused policy belong. */
export function placeRefusals(error: unknown): Refusals {
  const byPlace = new Map<Place, readonly string[]>();
  const causes = error instanceof ApiError && error.status === 400 ? error.causes : [];
  let isComplete = causes.length > 0;
  for (const { text } of causes) {
    const [, path = '', said = ''] = /^([\w.[\]]+): (.*)$/s.exec(text) ?? [];
    const place = placeOf(path.replace(/^(add|change)\[0\]\./, ''));
    if (place === null) isComplete = false;
    else byPlace.set(place, [...new Set([...(byPlace.get(place) ?? []), said])]);
  }
  return { byPlace, isComplete };
}

const RULE = 'conflictingAccessCriteria.';
const TWO_SIDES = ['leftCriteria', 'rightCriteria'];

function placeOf(path: string): Place | null {
  if (path.startsWith(RULE)) return placeInRule(path.slice(RULE.length));
  const name = path.split('.')[0];
  if (name === 'ownerRef') return 'owner';
  return ASPECTS.find((aspect): aspect is Exclude<Aspect, 'rule'> => aspect !== 'rule' && aspect === name) ?? null;
}

function placeInRule(path: string): Place | null {
  if (path === 'atLeast') return 'atLeast';
  if (path === 'criteria') return 'sides';
  const [, named = '', numbered, rest = ''] = /^(?:(\w+Criteria)|criteria\[(\d+)\])(.*)$/.exec(path) ?? [];
  const side = numbered === undefined ? TWO_SIDES.indexOf(named) : Number(numbered);
  if (side < 0) return null;
  return rest.startsWith('.name') ? `side ${side} name` : `side ${side}`;
}
