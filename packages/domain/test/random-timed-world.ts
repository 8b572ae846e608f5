import type { AccessRef, TimedAccessRef } from '../src/index.ts';
import { createRandom, createRandomSodWorld, type RandomSodWorld } from './random-sod-world.ts';
import type { TimedSodQuestion } from './timed-oracle.ts';

const NOW_MS = Date.parse('2026-11-21T09:30:00.000Z');
const momentAt = (place: number) => new Date(NOW_MS + place * 1_000).toISOString();

/** A tiny tenant whose assignments and requested refs hold for a time, some of it past; empty windows are among them. */
export function createRandomTimedWorld(seed: number): RandomSodWorld & {
  readonly timedQuestions: readonly TimedSodQuestion[];
} {
  const world = createRandomSodWorld(seed);
  const below = createRandom(seed + 1_000_000);
  // One in a hundred has more moments than a word has bits.
  const isLong = below(100) === 0;
  const farthest = isLong ? 300 : 4;
  const windowOf = (): Pick<TimedAccessRef, 'start' | 'end'> => {
    const [first = 0, second = 0] = [below(farthest) - 1, below(farthest) - 1].sort((a, b) => a - b);
    const kind = below(5);
    return {
      ...(kind === 0 || kind === 1 ? {} : { start: momentAt(first) }),
      ...(kind === 0 || kind === 2 ? {} : { end: momentAt(second) }),
    };
  };
  const timed = (refs: readonly AccessRef[]): readonly TimedAccessRef[] => {
    const all = isLong ? Array.from({ length: 30 }, () => refs).flat() : refs;
    // Often some of the refs have no window.
    const plain = isLong ? 0 : below(3);
    return all.map((ref) => (below(4) < plain ? ref : { ...ref, ...windowOf() }));
  };
  return {
    ...world,
    timedQuestions: world.questions.map(({ held, requested }) => ({
      held: timed(held),
      requested: timed(requested),
      ...(below(4) === 0 ? { at: momentAt(below(farthest + 2) - 2) } : {}),
      now: momentAt(0),
    })),
  };
}
