import { residentBytesOf } from './cpu-time.ts';
import { printTable, writeResults } from './report.ts';
import { identityId, serveWorld } from './served-world.ts';
import { createWorld } from './world.ts';

const SEED = 20_261_121;
const IDENTITIES = 100_000;
const AT_ONCE = 32;

/** Resident memory of the API once it has answered a predict for each of 100,000 identities of 50 assignments, with 1,000 policies. */
export async function run(): Promise<void> {
  const size = { seed: SEED, entitlements: 50_000, policies: 1000, identities: IDENTITIES, questions: 1 };
  const world = createWorld({ ...size, assignments: 50 });
  const { service, api } = await serveWorld(world);
  await using _service = service;
  const afterImport = residentBytesOf(api.pid);
  let next = 0;
  const predictAll = async () => {
    while (next < IDENTITIES)
      await api.client.sodViolations.predict({
        identityId: identityId(next++),
        accessRefs: world.questions[0]?.accessRefs ?? [],
      });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, predictAll));
  const afterPredict = residentBytesOf(api.pid);
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
  printTable(
    ['RSS of the API, MB', 'after the import', 'after a predict for each identity'],
    [[`${IDENTITIES.toLocaleString('en-US')} identities × 50`, megabytes(afterImport), megabytes(afterPredict)]],
  );
  writeResults('memory', { seed: SEED, identities: IDENTITIES, assignments: 50, afterImport, afterPredict });
}
