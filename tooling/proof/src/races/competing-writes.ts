import { type AccessAdminClient, PreconditionFailedError } from '@access-admin/client';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { connectAs } from '../service/connect-as.ts';
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
  run: (run) => contend(run, { conditional: true }),
  control: (run) => contend(run, { conditional: false }),
};

interface Options {
  /** Whether writes send the version that they are based on. */
  readonly conditional: boolean;
}

interface Contest extends Options {
  readonly signal: AbortSignal;
  readonly tracks: readonly Track[];
  readonly unexpected: string[];
  /** How many accepted writes are still missing. */
  left: number;
  refused: number;
}

interface Track {
  readonly counter: Counter;
  readonly first: Counted;
  readonly accepted: AcceptedWrite[];
}

async function contend({ engine, seed, count, signal }: CampaignRun, { conditional }: Options): Promise<Outcome> {
  await using fleet = await openFleet(engine, { apis: 2, workers: 0 });
  const clients = await connectAs(fleet, null);
  const random = createRandom(seed);
  await drawOne(random, clients).accessModel.import(COUNTED_MODEL);
  const tracks: Track[] = [];
  for (const counter of COUNTERS)
    tracks.push({ counter, first: await counter.read(drawOne(random, clients)), accepted: [] });
  const contest: Contest = { conditional, signal, tracks, unexpected: [], left: count, refused: 0 };
  const writers = Array.from({ length: WRITERS }, (_, number) => ({
    client: clients[number % clients.length] ?? drawOne(random, clients),
    random: createRandom(seed * WRITERS + number),
  }));
  await Promise.all(writers.map((writer) => countOn(contest, writer)));
  const { refused, unexpected } = contest;
  const counts = { patches: 0, 'refused with 412': refused, 'other refusals': unexpected.length, lost: 0 };
  const faults: string[] = [];
  for (const { counter, first, accepted } of tracks) {
    const last = await counter.read(drawOne(random, clients));
    counts.patches += accepted.length;
    counts.lost += countLost(first, accepted, last);
    faults.push(...verifyWrites(first, accepted, last).map((fault) => `${counter.name}: ${fault}`));
  }
  const broken = [
    ...summed('other refusals', unexpected),
    ...summed('failures of accepted writes', faults),
    ...fleet.crashes(),
    ...(conditional && refused === 0 && count > WRITERS ? ['no two writers ever met'] : []),
  ];
  return { counts, broken };
}

interface Writer {
  readonly client: AccessAdminClient;
  readonly random: Random;
}

async function countOn(contest: Contest, { client, random }: Writer): Promise<void> {
  while (contest.left-- > 0) {
    const track = drawOne(random, contest.tracks);
    do contest.signal.throwIfAborted();
    while (!(await increment(contest, track, client)));
  }
}

/** False if another writer was first. */
async function increment(contest: Contest, { counter, accepted }: Track, client: AccessAdminClient): Promise<boolean> {
  try {
    const { number, etag: base } = await counter.read(client);
    const left = await counter.write(client, number + 1, contest.conditional ? { ifMatch: base } : {});
    accepted.push({ ...left, base });
  } catch (error) {
    if (error instanceof PreconditionFailedError) {
      contest.refused++;
      return false;
    }
    contest.unexpected.push(`${counter.name}: ${error}`);
  }
  return true;
}
