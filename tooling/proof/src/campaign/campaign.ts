/** The database of a campaign. */
export type Engine = 'sqlite' | 'postgres' | 'citus';

/** Input of one run of a campaign. */
export interface CampaignRun {
  readonly engine: Engine;
  /** Determines everything that is drawn at random. */
  readonly seed: number;
  /** How many kills, images, pauses or other units the campaign counts. */
  readonly count: number;
  /** The parts that are asked for; none for all. */
  readonly parts: readonly string[];
  /** The git ref of the version to upgrade from; null for the default. */
  readonly from: string | null;
  /** Reports a line of progress. */
  log(text: string): void;
  /** Aborted when the run must end early; the campaign then stops what it started and rejects. */
  readonly signal: AbortSignal;
}

/** Result of one run. */
export interface Outcome {
  /** In the order in which they are printed, such as `{ kills: 200, acknowledged: 5210, lost: 0 }`. */
  readonly counts: Readonly<Record<string, number | string>>;
  /** Why the promise does not hold, one sentence each; empty when it holds. */
  readonly broken: readonly string[];
}

/** A promise of the service and the attack that it must survive. */
export interface Campaign {
  /** Such as `F1`. */
  readonly id: string;
  readonly title: string;
  /** The option that sets the count, such as `kills`. */
  readonly unit: string;
  readonly full: number;
  readonly short: number;
  readonly engines: readonly Engine[];
  /** Whether it measures time, or clients must outlast a restart: no other campaign may run beside it. */
  readonly measuresTime?: boolean;
  /** The names of parts that can run alone, as in `N1.4`. */
  readonly parts?: readonly string[];
  run(run: CampaignRun): Promise<Outcome>;
  /** The same attack with a guard removed or a loss planted. It must find something broken. */
  control(run: CampaignRun): Promise<Outcome>;
}

/** Summarizes all findings of one kind in one sentence, with the first as an example; nothing if there are none. */
export const summed = (what: string, each: readonly string[]): readonly string[] =>
  each.length === 0 ? [] : [`${each.length} ${what}, such as: ${each[0]?.slice(0, 400)}`];

/** The result of a campaign that this machine cannot run, with the reason. */
export const skipped = (reason: string): Outcome => ({ counts: { skipped: reason }, broken: [] });
