import type { CampaignRun, Outcome } from '../campaign.ts';

/** What a campaign comes back with where this machine cannot run it: says why, and nothing about the promise. */
export function skip({ say }: CampaignRun, skipped: string): Outcome {
  say(`skipped: ${skipped}`);
  return { counts: { skipped }, broken: [] };
}

/** A control that was skipped is not blind: it saw nothing at all. */
export const overlookSkipped = ({ counts, broken }: Outcome): Outcome =>
  counts['skipped'] === undefined ? { counts, broken } : { counts, broken: [`not run: ${counts['skipped']}`] };
