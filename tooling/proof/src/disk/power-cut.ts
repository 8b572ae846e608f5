import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFolder, startNode } from '@access-admin/harness';
import { type Campaign, type CampaignRun, type Outcome, skipped, summed } from '../campaign/campaign.ts';
import { createRandom } from '../campaign/random.ts';
import { ACKNOWLEDGED, type Acknowledgement } from './acknowledgement.ts';
import { buildShim } from './build-shim.ts';
import { createPowerCutDisk } from './power-cut-disk.ts';
import { verifyImage } from './verify-image.ts';
import { type LoggedCall, readWriteLog } from './write-log.ts';

const WRITER = fileURLToPath(new URL('write-store.ts', import.meta.url));
const ROUNDS = 400;
/** Fewer recorded calls mean that the record is incomplete. */
const CALLS_MIN = 1_000;
const ACKNOWLEDGED_MIN = 100;
/** Files outside of images: SQLite recreates its shared memory, and the acknowledgements are the campaign's. */
const APART = ['access-admin.db-shm', ACKNOWLEDGED];

/** F2: after a power cut the database is intact and has every acknowledged write, even if unsynced writes are lost or torn. */
export const powerCut: Campaign = {
  id: 'F2',
  title: 'power cut at a random point between two writes',
  unit: 'images',
  full: 300,
  short: 40,
  engines: ['sqlite'],
  run: (run) => cutPower(run, () => true),
  // As with synchronous=NORMAL: a commit does not wait until the log is on disk.
  control: async (run) => {
    const { counts, broken } = await cutPower(run, ({ kind, name }) => kind !== 'sync' || !name.endsWith('-wal'));
    return { counts, broken: counts['images with losses'] === 0 ? [] : broken };
  },
};

async function cutPower(run: CampaignRun, isHonoured: (call: LoggedCall) => boolean): Promise<Outcome> {
  using folder = openFolder('proof');
  const calls = await recordWrites(run, folder.path);
  if ('unavailable' in calls) return skipped(calls.unavailable);
  return await verifyCuts(run, calls.filter(isHonoured), join(folder.path, 'image'));
}

async function recordWrites(
  { seed, signal }: CampaignRun,
  folder: string,
): Promise<readonly LoggedCall[] | { readonly unavailable: string }> {
  const shim = buildShim(folder);
  if ('unavailable' in shim) return shim;
  const directory = join(folder, 'data');
  mkdirSync(directory);
  const log = join(folder, 'writes.log');
  await using writer = startNode(WRITER, [directory, String(seed), String(ROUNDS)], {
    env: { ...shim.env, STORAGE_DIRECTORY: directory, STORAGE_LOG: log },
    cwd: folder,
  });
  signal.addEventListener('abort', () => void writer.stop('SIGKILL'), { once: true });
  const ending = await writer.ended;
  signal.throwIfAborted();
  if (ending.code !== 0) throw new Error(`the writer ended (${ending.signal ?? ending.code}): ${writer.output()}`);
  return readWriteLog(log).filter(({ name }) => !name.endsWith('-shm'));
}

async function verifyCuts(
  { seed, count, log, signal }: CampaignRun,
  calls: readonly LoggedCall[],
  folder: string,
): Promise<Outcome> {
  const random = createRandom(seed);
  const cuts = Array.from({ length: count }, () => random(calls.length + 1)).sort((left, right) => left - right);
  const disk = createPowerCutDisk();
  const acknowledgements: Acknowledgement[] = [];
  const wrongImages: string[] = [];
  const bad = { corrupt: 0, lost: 0 };
  let applied = 0;
  for (const [place, cut] of cuts.entries()) {
    signal.throwIfAborted();
    for (; applied < cut; applied++) {
      const call = calls[applied];
      if (call === undefined) break;
      if (call.name === ACKNOWLEDGED && call.kind === 'write')
        acknowledgements.push(JSON.parse(call.data.toString('utf8')));
      else if (!APART.includes(call.name)) disk.apply(call);
    }
    const { fate, files } = disk.cut(random);
    const wrong = await verifyImage(folder, files, acknowledgements);
    if (wrong.some((text) => text.startsWith('lost:'))) bad.lost += 1;
    if (wrong.some((text) => !text.startsWith('lost:'))) bad.corrupt += 1;
    if (wrong.length > 0)
      wrongImages.push(`after ${cut} calls, ${fate}: ${wrong.length} failures, the first: ${wrong[0]}`);
    if ((place + 1) % 50 === 0) log(`${place + 1} images, ${wrongImages.length} with failures`);
  }
  const counts = {
    images: count,
    'calls recorded': calls.length,
    acknowledged: acknowledgements.length,
    'corrupt images': bad.corrupt,
    'images with losses': bad.lost,
  };
  const tooLittle = calls.length < CALLS_MIN || acknowledgements.length < ACKNOWLEDGED_MIN;
  return {
    counts,
    broken: [...summed('images with failures', wrongImages), ...(tooLittle ? ['too little was recorded'] : [])],
  };
}
