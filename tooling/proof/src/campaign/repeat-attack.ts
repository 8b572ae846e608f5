import { setTimeout as delay } from 'node:timers/promises';
import type { CampaignRun } from './campaign.ts';
import { createRandom, type Random } from './random.ts';

const REPORTS = 4;

interface RepeatedRun extends CampaignRun {
  /** The random pause before each attack; none by default. */
  readonly pauseMs?: { readonly min: number; readonly spread: number };
}

/** Repeats an attack as often as the run counts. Reports progress, and any text that an attack resolves with. */
export async function repeatAttack(
  { seed, count, log, signal, pauseMs: { min, spread } = { min: 0, spread: 1 } }: RepeatedRun,
  attack: (random: Random, number: number) => Promise<unknown>,
): Promise<void> {
  const random = createRandom(seed);
  for (let number = 0; number < count; number++) {
    await delay(min + random(spread), undefined, { signal });
    const text = await attack(random, number);
    if (typeof text === 'string') log(`${number + 1}: ${text}`);
    else if ((number + 1) % Math.ceil(count / REPORTS) === 0) log(`${number + 1} of ${count}`);
  }
}
