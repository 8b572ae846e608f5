import { idCount } from '../collections/id-dictionary.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';
import { isPauseDue, type WorkBudget } from '../steps/work-budget.ts';
import type { Entitlements } from './expand-access.ts';
import type { TemporalQuestion } from './temporal-question.ts';

/** The entitlements that a question is about, numbered anew from 1 on. */
export interface InvolvedEntitlements {
  /** For each entitlement of the catalogue its number here; 0 for those that are not held or requested at any time. */
  readonly slots: Uint32Array;
  /** By number here, from 1 on. */
  readonly entitlements: number[];
  /** Those that are requested and not held all the time. */
  readonly gained: readonly number[];
}

// So many entitlements are passed over in the time that it takes to judge one side.
const LIGHT = 16;

// To make these afresh for each question would take longer than most answers.
const spareSlots = new WeakMap<SodCatalogue, Uint32Array>();

/** Numbers what a question is about, in steps that are nothing but pauses. To be given back with `releaseInvolved`. */
export function* takeInvolved(
  catalogue: SodCatalogue,
  { always, held, requested }: TemporalQuestion,
  budget: WorkBudget,
): Generator<string, InvolvedEntitlements> {
  const slots = spareSlots.get(catalogue) ?? new Uint32Array(idCount(catalogue.numbers.ids));
  spareSlots.delete(catalogue);
  const entitlements: number[] = [];
  const number = function* (all: Entitlements): Generator<string, void> {
    for (let i = 0; i < all.length; i++) {
      const entitlement = all[i] ?? 0;
      if (slots[entitlement] === 0) slots[entitlement] = entitlements.push(entitlement);
      if (isPauseDue(budget, 1 / LIGHT)) yield '';
    }
  };
  yield* number(always);
  const alwaysCount = entitlements.length;
  for (const part of requested) yield* number(part.entitlements);
  const gained = entitlements.slice(alwaysCount);
  for (const part of held) yield* number(part.entitlements);
  return { slots, entitlements, gained };
}

// To clear more would take a pause.
const CLEARED_MAX = 10_000;

/** What was taken is not used any more. */
export function releaseInvolved(catalogue: SodCatalogue, { slots, entitlements }: InvolvedEntitlements): void {
  if (entitlements.length > CLEARED_MAX) return;
  for (const entitlement of entitlements) slots[entitlement] = 0;
  spareSlots.set(catalogue, slots);
}
