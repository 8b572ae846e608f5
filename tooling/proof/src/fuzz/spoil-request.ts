import { drawOne, type Random } from '../campaign/random.ts';
import { spoilJson, spoilText, words } from './spoil-json.ts';

/** A request under construction. */
export interface Draft {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  /** One character per byte; null for no body. */
  readonly body: string | null;
  readonly bytesMax: number;
  readonly inChunks: boolean;
  /** Whether the parser may refuse it before it reaches a handler. */
  readonly isRaw: boolean;
}

export type Spoil = (draft: Draft, random: Random) => Draft;

const METHODS = words('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE QUERY PROPFIND LOCK REPORT');
const RAW_METHODS = ['get', 'FOO', 'GET\t', 'G\0T', 'TRACK', 'PRI'];
const IDS = [
  ...words(
    `%00 %2f %2e%2e .. . %zz % %ff %e4%b8 a%2fb a%5cb a%0d%0ab ~ * ' %27%20or%201=1 __proto__ constructor`,
    '%F0%9F%98%80 a;b a:b tenant',
  ),
  'x'.repeat(128),
  'x'.repeat(129),
];
const SUFFIXES = ['/', '//', '/x', '/..', '#x', '?', '??', '?=', '?&', '.json', '%20', '%00', ';x', '/%2e'];
const PATHS = [
  ...words(
    '/ /nowhere // /auth-users /auth-users/v2/x /AUTH-USERS/v1/x /docs/../healthz /.env /oauth/',
    '/__proto__ /constructor /metrics/x * http://y/healthz http://y ftp://y/ /%68ealthz',
  ),
  '/x\\y',
];
const RAW_TARGETS = ['/a b', '/\xc3\xa4', '/\0', '/\x01', 'healthz', '', 'x:80', 'http://', '/\x7f'];
const NAMES = words('limit offset count filters sorters include at access_token __proto__ constructor limit[] x');
const VALUES = [
  ...words(
    '0 -1 1 250 251 1e2 0x1 1.5 %201 %00 %ff true TRUE null id%20eq%20%22x%22 id%20eq%20%22 %22%5c',
    '%F0%9F%98%80 ( via,remediation',
  ),
  '',
  '9'.repeat(30),
  'x'.repeat(300),
];
const LONG_TARGETS = [2047, 2048, 2049, 4000, 17_000];

const TYPES = [
  ...words(
    'application/json application/json-patch+json application/x-ndjson text/plain application/xml',
    'APPLICATION/JSON application/json; application/x-www-form-urlencoded multipart/form-data */*',
    'application',
  ),
  '',
  'application/json; charset=utf-8',
  'application/json; charset="UTF-8"',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'application/json; charset=utf-8; charset=utf-8',
  'application/json, text/plain',
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary=',
  'x'.repeat(3000),
];
const ODD_HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['Content-Encoding', ['gzip', 'identity', 'br', '', 'x', 'gzip, gzip']],
  ['Prefer', words('wait=0 wait=-1 wait=1e9 wait wait= wait="0" respond-async wait=99999999999 ;;; wait=0;x=" \xe4')],
  ['Prefer', ['wait=0, wait=0', 'x'.repeat(2000)]],
  ['If-Match', ['*', '""', '"x"', 'W/"x"', 'x', '', ',', '"x", *', '"', '\xe4', '"x",'.repeat(500)]],
  ['X-Service-Experimental', ['true', 'false', 'TRUE', '', '1', 'true, true']],
  ['X-SailPoint-Experimental', ['true', 'false', 'true;x']],
  ['Authorization', ['Bearer', 'Bearer x', 'Basic eDp5', 'Bearer \xe4', '']],
  [
    'Host',
    ['', 'a b', 'a@b', 'x:99999', 'x:0', '[::1]', '[', 'x/y', '\xe4', '*', 'x'.repeat(2000), 'evil.example.com'],
  ],
  ['Accept', ['text/html', '', '*/*;q=0', '\xe4']],
  ['Expect', ['nothing', '', '200-ok']],
  ['Range', ['bytes=0-0', 'x']],
  ['If-None-Match', ['*', '"x"']],
  ['X-Request-Id', ['x', '0'.repeat(32), '\xe4']],
  ['X-Tenant', ['tenant-b']],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['X-Forwarded-Host', ['evil.example.com']],
  ['Cookie', ['a=b; a=c', '\xe4', ';;;']],
  ['Origin', ['null', 'https://evil.example.com']],
  ['Upgrade', ['websocket', 'h2c']],
  ['TE', ['trailers']],
  ['__proto__', ['x']],
  ['constructor', ['x']],
  ['X-Long', ['x'.repeat(3000)]],
];
const RAW_HEADERS = [
  ...['X-A: a\0b', 'X-A: \x01', ' folded', 'X A: b', ': x', 'X-\xe4: b', 'Host: second', 'Transfer-Encoding: gzip'],
  `X-A: ${'x'.repeat(17_000)}`,
];

/** Spoils one line of a JSON body; a body that is no JSON stays as it is. */
function onJson(body: string, random: Random): string {
  const lines = Buffer.from(body, 'latin1').toString().split('\n');
  const at = random(lines.length);
  try {
    const spoiled = lines.map((line, place) => (place === at && line !== '' ? spoilJson(line, random) : line));
    return Buffer.from(spoiled.join('\n')).toString('latin1');
  } catch {
    return body;
  }
}

const withBody =
  (change: (body: string, random: Random, draft: Draft) => string): Spoil =>
  (draft, random) =>
    draft.body === null ? draft : { ...draft, body: change(draft.body, random, draft) };

const set = (draft: Draft, name: string, value: string): Draft => ({
  ...draft,
  headers: [...draft.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase()), [name, value]],
});

const withQuery = (target: string, random: Random): string =>
  `${target}${target.includes('?') ? '&' : '?'}${drawOne(random, NAMES)}=${drawOne(random, VALUES)}`;

/** The last segment of a path, which is often an id. */
const withId = (target: string, id: string): string => target.replace(/[^/?]+(?=$|\?)/, () => id);

export const SPOILS: readonly Spoil[] = [
  withBody(onJson),
  withBody(onJson),
  withBody(onJson),
  withBody(spoilText),
  (draft, random) => ({ ...draft, method: drawOne(random, METHODS) }),
  (draft, random) => ({ ...draft, target: withQuery(draft.target, random) }),
  (draft, random) => ({ ...draft, target: withId(draft.target, drawOne(random, IDS)) }),
  (draft, random) => ({ ...draft, target: draft.target + drawOne(random, SUFFIXES) }),
  (draft, random) => ({ ...draft, target: drawOne(random, PATHS) }),
  (draft, random) => set(draft, 'Content-Type', drawOne(random, TYPES)),
  (draft, random) => {
    const [name, values] = drawOne(random, ODD_HEADERS);
    return set(draft, name, drawOne(random, values));
  },
  (draft, random) => {
    const [name, values] = drawOne(random, ODD_HEADERS);
    // In addition to an existing header.
    return {
      ...draft,
      headers: [...draft.headers, [name, drawOne(random, values)]],
      isRaw: draft.isRaw || name === 'Host',
    };
  },
  (draft, random) => {
    const at = random(draft.headers.length + 1);
    return { ...draft, headers: draft.headers.filter((_, place) => place !== at), isRaw: true };
  },
  (draft) => ({ ...draft, body: draft.body ?? '{}' }),
  (draft) => ({ ...draft, inChunks: true }),
];

/** Expensive requests, and those refused before they reach a handler; drawn rarely. */
export const RARE_SPOILS: readonly Spoil[] = [
  withBody((body, random, { bytesMax }) => body.padEnd(bytesMax + random(2), random(2) === 0 ? ' ' : '\n')),
  (draft, random) => ({ ...draft, target: `${draft.target}?`.padEnd(drawOne(random, LONG_TARGETS), 'x'), isRaw: true }),
  (draft, random) => ({ ...draft, target: drawOne(random, RAW_TARGETS), isRaw: true }),
  (draft, random) => ({ ...draft, method: drawOne(random, RAW_METHODS), isRaw: true }),
  (draft, random) => {
    const [name = '', value = ''] = drawOne(random, RAW_HEADERS).split(': ');
    return { ...draft, headers: [...draft.headers, [name, value]], isRaw: true };
  },
];
