import { type LoadedServer, measureCosts, withOwnGenerator } from '../http/server-costs.ts';
import { plainRequest, predictRequest } from '../load/predict-request.ts';
import { type SuiteResult, spreadText } from '../measure/report.ts';
import { ratioOf, spreadOf } from '../measure/rounds.ts';
import { requestToken } from '../servers/request-token.ts';
import { type ServedWorld, serveWorld } from '../servers/served-world.ts';
import { createWorld, identityId, type World } from '../world/create-world.ts';
import { openSession } from './open-session.ts';

export const SIZE = { seed: 20_261_121, entitlements: 50_000, policies: 10_000, identities: 2_000, questions: 4096 };

/** What a browser sends with each request of a script, beside its cookie and `Origin`. */
const BROWSER = [
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36',
  'Accept: */*',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Accept-Language: en-GB,en;q=0.9',
  'Sec-Fetch-Dest: empty',
  'Sec-Fetch-Mode: cors',
  'Sec-Fetch-Site: same-origin',
];

/** The cost of a predict by a session, compared with the same predict by a token. */
export async function measureSessionCost(): Promise<Omit<SuiteResult, 'name'>> {
  const world = createWorld(SIZE);
  await using served = await serveWorld(world);
  const loads = await loadsOf(served, world);
  const costs = await measureCosts(loads.map(withOwnGenerator));
  const [token = [], session = [], browserToken = [], browserSession = []] = costs.map(({ cpuMicros }) => cpuMicros);
  const goal = { goal: 1.05, less: true } as const;
  return {
    tables: [
      {
        header: ['predict, 10,000 policies', 'CPU µs per request, median (range)', 'requests/s'],
        rows: costs.map(({ cpuMicros, perSecond }, at) => [
          loads[at]?.name ?? '',
          spreadText(spreadOf(cpuMicros)),
          spreadText(spreadOf(perSecond)),
        ]),
      },
    ],
    figures: [
      { name: 'CPU of a predict by a session, times by a token', spread: ratioOf(session, token), ...goal },
      { name: 'the same, with the headers of a browser', spread: ratioOf(browserSession, browserToken), ...goal },
    ],
    raw: { sessionCost: { ...SIZE, costs } },
  };
}

/** The same predicts by a token and by a session of an administrator, both without and with the headers of a browser. */
export async function loadsOf(served: ServedWorld, { held, questions }: World): Promise<readonly LoadedServer[]> {
  const { api, port } = served;
  const id = identityId(0);
  const records = [
    { kind: 'identityProfile', id: 'employees', name: 'Employees', authProfile: { type: 'NON_PTA' } },
    { kind: 'identity', id, uid: id, identityProfile: 'employees', capabilities: ['ORG_ADMIN'], access: held[0] },
  ];
  await api.client.accessModel.import(records.map((record) => JSON.stringify(record)).join('\n'));
  const token = [`Authorization: Bearer ${await requestToken(served)}`];
  const session = await openSession(api, id);
  const load = (name: string, headers: readonly string[]) => ({
    ...{ name, pid: api.pid, port },
    requests: questions.map((question) => predictRequest({ port, headers }, plainRequest(question))),
  });
  return [
    load('by a token', token),
    load('by a session', session),
    load('by a token, headers of a browser', [...BROWSER, ...token]),
    load('by a session, headers of a browser', [...BROWSER, ...session]),
  ];
}
