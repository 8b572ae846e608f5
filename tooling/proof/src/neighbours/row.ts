import type { Fleet } from '../service/open-fleet.ts';
import type { Attacker } from './attacker.ts';
import type { LeastEffect } from './effect.ts';

/** A prepared attack. */
export interface Attack {
  /** Attacks until the attacker's signal is aborted, and resolves soon after that. */
  run(): Promise<void>;
  readonly least: LeastEffect;
  /** Bounds of the attack itself that do not hold, one sentence each. Called when the attack has ended. */
  verify?(): Promise<readonly string[]>;
}

/** One way in which a tenant may try to take from the others what it shares with them. */
export interface NeighbourRow {
  readonly id: string;
  readonly title: string;
  /** Loads what the attack needs, which is not part of the attack. */
  prepare(attacker: Attacker, fleet: Fleet): Promise<Attack>;
}
