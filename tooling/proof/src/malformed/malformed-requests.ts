import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, type Random } from '../campaign/random.ts';
import { openFleet } from '../service/open-fleet.ts';
import { converse } from './converse.ts';
import type { MalformedRow } from './malformed-row.ts';
import { ROWS_OF_BODIES } from './rows-of-bodies.ts';
import { ROWS_OF_FRAMING } from './rows-of-framing.ts';
import { ROWS_OF_HEADERS } from './rows-of-headers.ts';
import { ROWS_OF_LINES } from './rows-of-lines.ts';
import { stripHeaders } from './strip-headers.ts';
import { faultOfRow } from './verify-row.ts';

const PREDICT = '/sod-violations/v1/predict';
/** With and without a query. */
const LANES = { plain: PREDICT, query: `${PREDICT}?` } as const;

/** A row and its request target. */
interface LaneRow extends MalformedRow {
  readonly target: string;
}

const TABLE: readonly LaneRow[] = [...ROWS_OF_LINES, ...ROWS_OF_HEADERS, ...ROWS_OF_FRAMING, ...ROWS_OF_BODIES].flatMap(
  (row) =>
    !row.lanes
      ? [{ ...row, target: PREDICT }]
      : Object.entries(LANES).map(([lane, target]) => ({ ...row, name: `${row.name} (${lane})`, target })),
);

/** Z2: each malformed request has one defined answer, and nothing in it is read as another request. */
export const malformedRequests: Campaign = {
  id: 'Z2',
  title: 'malformed requests on raw sockets',
  unit: 'requests',
  full: TABLE.length,
  short: TABLE.length,
  engines: ['sqlite'],
  run: (run) => sendRows(run, null),
  // Without the headers that mark encoded and chunked bodies.
  control: (run) => sendRows(run, /^(content|transfer)-encoding *:.*\r\n/gim),
};

/** Sends the rows one after the other, and again from the first if more are requested. */
async function sendRows({ engine, seed, count, log, signal }: CampaignRun, stripped: RegExp | null): Promise<Outcome> {
  await using fleet = await openFleet(engine, { apis: 1, workers: 0 });
  await using stack = new AsyncDisposableStack();
  const own = Number(new URL(fleet.api.baseAddress).port);
  const port = stripped === null ? own : stack.use(await stripHeaders(own, stripped)).port;
  const { token } = await fleet.register();
  const world = { auth: `Authorization: Bearer ${token}\r\n`, host: 'Host: x\r\n' };
  const random = createRandom(seed);
  const broken: string[] = [];
  let cut = 0;
  for (let sent = 0; sent < count; sent++) {
    signal.throwIfAborted();
    const row = TABLE[sent % TABLE.length];
    if (row === undefined) break;
    const whole = row.send({ ...world, predict: row.target });
    const pieces = typeof whole === 'string' ? piecesOf(whole, random) : whole;
    if (pieces.length > 1) cut++;
    const talk = { pieces, answers: row.answers.length, isHead: row.isHead, ends: row.ends };
    const fault = faultOfRow(row, await converse(port, talk));
    if (fault !== null) broken.push(`${row.name}: ${fault}`);
    if (sent % 100 === 99) log(`${sent + 1} requests, ${broken.length} with a wrong answer`);
  }
  return {
    counts: { requests: count, rows: TABLE.length, 'sent in pieces': cut, 'wrong answers': broken.length },
    broken: [...summed('rows with another outcome', broken), ...fleet.crashes()],
  };
}

/** Splits a request at a random place, which must not change its answer. */
function piecesOf(whole: string, random: Random): readonly string[] {
  const at = random(2) === 0 ? 0 : random(whole.length + 1);
  return at === 0 ? [whole] : [whole.slice(0, at), whole.slice(at)];
}
