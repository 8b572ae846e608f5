import { setTimeout as delay } from 'node:timers/promises';
import type { CallAnswer, Caller } from '../http/caller.ts';
import type { FlowName } from './figures.ts';

/** Input of the bystander's thread. */
export interface BystanderData {
  readonly baseAddress: string;
  /** A token for every operation in the bystander's tenant. */
  readonly token: string;
  readonly credentials: { readonly id: string; readonly secret: string };
  /** The loopback address that the bystander calls from. */
  readonly from: string;
}

/** One kind of call. */
export interface Flow {
  readonly name: FlowName;
  /** Several keep a pace, each its own; one pauses between two calls. */
  readonly callers: number;
  readonly everyMs: number;
  /** Resolves with why the answer is wrong, or null. */
  call(number: number): Promise<string | null>;
}

interface Callers {
  readonly call: Caller;
  /** Sends no token. */
  readonly callAnonymously: Caller;
}

const REQUEST = JSON.stringify({
  identityId: 'i-0001',
  accessRefs: [{ type: 'ENTITLEMENT', id: 'erp-vendor-create' }],
});
const VIOLATED = 'sod-p2p-01';
const CHECK_WAIT_SECONDS = 10;
const SCAN_POLL_MS = 10;
const SCAN_MS_MAX = 60_000;
const IMPORTED_IDENTITIES = 20;
const IMPORTED_LINE_BYTES = 15_000;

/** The calls of a tenant with the sample of `npm start`. */
export function createFlows({ call, callAnonymously }: Callers, { credentials }: BystanderData): readonly Flow[] {
  const form = { grant_type: 'client_credentials', client_id: credentials.id, client_secret: credentials.secret };
  const ask = {
    path: '/oauth/token',
    body: new URLSearchParams(form).toString(),
    type: 'application/x-www-form-urlencoded',
  };
  const predict = async () => unless(await call({ path: '/sod-violations/v1/predict', body: REQUEST }), 200, VIOLATED);
  const check = async () => {
    const posted = await call({ path: '/sod-violations/v1/check', body: REQUEST });
    if (posted.status !== 202) return describe(posted);
    const path = `/sod-violations/v1/check/${JSON.parse(posted.text).requestId}`;
    for (;;) {
      const read = await call({ path, headers: { prefer: `wait=${CHECK_WAIT_SECONDS}` } });
      if (read.status !== 200 || !read.text.includes('"state":"PENDING"')) return unless(read, 200, VIOLATED);
    }
  };
  const importSome = async (number: number) =>
    unless(await call({ path: '/access-model/v1/import', body: linesOf(number), type: 'application/x-ndjson' }), 200);
  const exportAll = async () => unless(await call({ path: '/access-model/v1/export' }), 200, VIOLATED);
  const scan = async () => {
    // At an instant, so that everybody is evaluated: other scans only look at what has changed.
    const body = JSON.stringify({ at: new Date().toISOString() });
    const started = await call({ path: '/sod-violations/v1/scan', body });
    if (started.status !== 202) return describe(started);
    const path = `/sod-reports/v1/${JSON.parse(started.text).reportId}`;
    for (const startMs = performance.now(); performance.now() - startMs < SCAN_MS_MAX; await delay(SCAN_POLL_MS)) {
      const read = await call({ path });
      if (read.status !== 200 || /"state":"(SUCCESS|ERROR)"/.test(read.text)) return unless(read, 200, 'SUCCESS');
    }
    return 'a scan is not done after a minute';
  };
  return [
    { name: 'predict', callers: 10, everyMs: 100, call: predict },
    { name: 'check', callers: 5, everyMs: 1_000, call: check },
    { name: 'import', callers: 1, everyMs: 500, call: importSome },
    { name: 'export', callers: 1, everyMs: 3_000, call: exportAll },
    { name: 'scan', callers: 1, everyMs: 500, call: scan },
    {
      name: 'token',
      callers: 1,
      everyMs: 500,
      call: async () => unless(await callAnonymously(ask), 200, 'access_token'),
    },
  ];
}

/** Identities that nothing else reads, each import with other names. So long that the body needs some of the room that all share. */
const linesOf = (number: number): string =>
  Array.from({ length: IMPORTED_IDENTITIES }, (_, at) => {
    const id = `i-changing-${at}`;
    const person = { kind: 'identity', id, uid: id, identityProfile: 'ip-employees', displayName: `${number}` };
    return `${JSON.stringify(person).padEnd(IMPORTED_LINE_BYTES)}\n`;
  }).join('');

const describe = ({ status, text }: CallAnswer) => `${status} ${text.slice(0, 200)}`;

/** Null if the answer has this status and contains this text. */
const unless = (answer: CallAnswer, status: number, part = ''): string | null =>
  answer.status === status && answer.text.includes(part) ? null : describe(answer);
