import { figure, type SuiteResult } from '../measure/report.ts';
import { spreadOf } from '../measure/rounds.ts';
import { ENGINE, openServiceOfEngine } from '../servers/open-measured-service.ts';
import { createPopulation, IMPORTED_AT_ONCE } from '../world/seed-population.ts';

const SEED = 20_261_121;
const IDENTITIES = Number(process.env['BENCH_IDENTITIES'] ?? 30_000);
const SIZE = { seed: SEED, identities: IDENTITIES, assignments: 20, policies: 10_000 };

/** Records per second of imports over HTTP: entitlements, then policies, then new identities. */
export async function run(): Promise<SuiteResult> {
  await using stack = new AsyncDisposableStack();
  const { service } = await openServiceOfEngine(stack);
  const { client } = await service.startApi();
  const seconds = new Map<string, number[]>();
  let lines: string[] = [];
  let kind = '';
  const send = async () => {
    if (lines.length === 0) return;
    const count = lines.length;
    const start = performance.now();
    await client.accessModel.import(lines.join('\n'));
    seconds.set(kind, [...(seconds.get(kind) ?? []), (count * 1000) / (performance.now() - start)]);
    lines = [];
  };
  for (const record of createPopulation(SIZE).records) {
    if (record.kind !== kind || lines.length === IMPORTED_AT_ONCE) await send();
    kind = record.kind;
    lines.push(JSON.stringify(record));
  }
  await send();
  const rates = [...seconds].map(([of, perSecond]) => ({ of, spread: spreadOf(perSecond) }));
  return {
    name: 'import',
    tables: [
      {
        header: [
          `imports of up to ${IMPORTED_AT_ONCE.toLocaleString('en-US')} records over HTTP, ${ENGINE}`,
          'records/s',
        ],
        rows: rates.map(({ of, spread }) => [of, figure(spread.median)]),
      },
    ],
    figures: rates.map(({ of, spread }) => ({ name: `records/s of kind ${of}, ${ENGINE}`, spread })),
    raw: { ...SIZE, engine: ENGINE, perSecond: Object.fromEntries(seconds) },
  };
}
