import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { openFleet } from '../service/open-fleet.ts';
import { converse } from './converse.ts';
import { ROWS_OF_BODIES } from './rows-of-bodies.ts';
import { ROWS_OF_FRAMING } from './rows-of-framing.ts';
import { ROWS_OF_HEADERS } from './rows-of-headers.ts';
import { ROWS_OF_LINES } from './rows-of-lines.ts';
import { verifyRow } from './verify-row.ts';

const ROWS = [...ROWS_OF_LINES, ...ROWS_OF_HEADERS, ...ROWS_OF_FRAMING, ...ROWS_OF_BODIES];
/** Rows with a place for a query are sent without and with one. */
const TABLE = ROWS.flatMap((row) =>
  (String(row.request).includes('<query>') ? ['', '?'] : ['']).map((query) => ({ row, query })),
);

/** Z2: each malformed request has one defined answer, and nothing in it is read as another request. */
export const malformedRequests: Campaign = {
  id: 'Z2',
  title: 'malformed requests on raw sockets',
  unit: 'requests',
  full: TABLE.length,
  short: TABLE.length,
  engines: ['sqlite'],
  run: (run) => sendRows(run, /$^/),
  // Without the headers that mark encoded and chunked bodies.
  control: (run) => sendRows(run, /^(content|transfer)-encoding *:.*\r\n/gim),
};

/** Sends the rows one after the other, and again from the first if more are requested. */
async function sendRows({ engine, seed, count, log, signal }: CampaignRun, stripped: RegExp): Promise<Outcome> {
  await using fleet = await openFleet(engine, { apis: 1, workers: 0 });
  const port = Number(new URL(fleet.api.baseAddress).port);
  const { token } = await fleet.register();
  const random = createRandom(seed);
  const broken: string[] = [];
  let cut = 0;
  for (let sent = 0; sent < count; sent++) {
    signal.throwIfAborted();
    const { row, query } = drawOne(() => sent % TABLE.length, TABLE);
    const filled = (text: string) =>
      text.replace(stripped, '').replaceAll('<token>', token).replaceAll('<query>', query);
    const pieces = typeof row.request === 'string' ? piecesOf(filled(row.request), random) : row.request.map(filled);
    if (pieces.length > 1) cut++;
    const fault = verifyRow(row, await converse(port, row, pieces));
    if (fault !== null) broken.push(`${row.name}${query}: ${fault}`);
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
