import { type AccessAdminClient, PreconditionFailedError } from '@access-admin/client';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { openFleet } from '../service/open-fleet.ts';
import { COUNTED_MODEL, COUNTERS, type Counted, type Counter } from './counters.ts';
import { type AcceptedWrite, countLost, verifyWrites } from './verify-writes.ts';

const WRITERS = 16;

/** C1: writers of the same resources read a number, increment it, and retry if another writer was first. */
export const competingWrites: Campaign = {
  id: 'C1',
  title: `${WRITERS} writers on two APIs increment numbers in the same resources, with If-Match`,
  unit: 'patches',
  full: 1_000,
  short: 100,
  engines: ['sqlite', 'postgres'],
  run: (run) => contend(run, true),
  control: (run) => contend(run, false),
};

interface Track {
  readonly counter: Counter;
  readonly first: Counted;
  readonly accepted: AcceptedWrite[];
}

/** Writes send the version that they are based on if they are conditional. */
async function contend({ engine, seed, count, signal }: CampaignRun, isConditional: boolean): Promise<Outcome> {
  await using fleet = await openFleet(engine, { apis: 2, workers: 0 });
  const clients = fleet.connect({ retries: 0 });
  await fleet.root.accessModel.import(COUNTED_MODEL);
  const startTrack = async (counter: Counter): Promise<Track> => {
    return { counter, first: await counter.read(fleet.root), accepted: [] };
  };
  const tracks = await Promise.all(COUNTERS.map(startTrack));
  const unexpected: string[] = [];
  let refused = 0;
  let left = count;

  /** False if another writer was first. */
  const increment = async ({ counter, accepted }: Track, client: AccessAdminClient): Promise<boolean> => {
    try {
      const { number, etag: base } = await counter.read(client);
      accepted.push({ ...(await counter.write(client, number + 1, isConditional ? { ifMatch: base } : {})), base });
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) unexpected.push(`${counter.name}: ${error}`);
      else {
        refused++;
        return false;
      }
    }
    return true;
  };
  const write = async (client: AccessAdminClient, random: Random): Promise<void> => {
    while (left-- > 0) {
      const track = drawOne(random, tracks);
      do signal.throwIfAborted();
      while (!(await increment(track, client)));
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, number) =>
    write(
      drawOne(() => number % clients.length, clients),
      createRandom(seed * WRITERS + number),
    ),
  );
  await Promise.all(writers);
  const { lost, broken } = await verifyTracks(tracks, fleet.root);
  const patches = tracks.reduce((sum, { accepted }) => sum + accepted.length, 0);
  return {
    counts: { patches, 'refused with 412': refused, 'other refusals': unexpected.length, lost },
    broken: [
      ...summed('other refusals', unexpected),
      ...summed('failures of accepted writes', broken),
      ...fleet.crashes(),
      ...(isConditional && refused === 0 && count > WRITERS ? ['no two writers ever met'] : []),
    ],
  };
}

async function verifyTracks(tracks: readonly Track[], client: AccessAdminClient) {
  const broken: string[] = [];
  let lost = 0;
  for (const { counter, first, accepted } of tracks) {
    const last = await counter.read(client);
    lost += countLost(first, accepted, last);
    broken.push(...verifyWrites(first, accepted, last).map((failure) => `${counter.name}: ${failure}`));
  }
  return { lost, broken };
}
