/** Where the data is during a campaign. */
export type Engine = 'sqlite' | 'postgres';

/** What a run of a campaign is given. */
export interface CampaignRun {
  readonly engine: Engine;
  /** All that a campaign draws at random follows from it. */
  readonly seed: number;
  /** How many kills, images, pauses or whatever the campaign counts. */
  readonly count: number;
  /** A line of progress. */
  say(text: string): void;
  /** Aborted when the run is to end early; a campaign then stops what it started and rejects. */
  readonly signal: AbortSignal;
}

/** What a campaign saw. */
export interface Outcome {
  /** In the order in which they are printed, such as `{ kills: 200, acknowledged: 5210, lost: 0 }`. */
  readonly counts: Readonly<Record<string, number | string>>;
  /** Why the promise does not hold, one sentence each; empty when it does. */
  readonly broken: readonly string[];
}

/** A promise of the service and the attack that it must survive. */
export interface Campaign {
  /** Such as `F1`. */
  readonly id: string;
  /** What is done, in a few words. */
  readonly title: string;
  /** The option that sets the count, such as `kills`. */
  readonly unit: string;
  readonly full: number;
  readonly short: number;
  readonly engines: readonly Engine[];
  run(run: CampaignRun): Promise<Outcome>;
  /** The same attack with a guard taken away: shows that the campaign would see the promise broken. Must come back with something broken. */
  control(run: CampaignRun): Promise<Outcome>;
}
