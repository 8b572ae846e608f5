import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '@access-admin/e2e';
import { cpuSecondsOf } from './cpu-time.ts';
import { type LoadGenerator, openLoad } from './http-load.ts';
import { type Spread, spreadOf } from './measure.ts';
import { figure, printTable, spreadText, writeResults } from './report.ts';
import { identityId, type ServedWorld, serveWorld } from './served-world.ts';
import { createWorld, type World } from './world.ts';

const SEED = 20_261_121;
const ROUNDS = 5;
const ROUND_MS = 2000;
const CONNECTIONS = 64;

interface Server {
  readonly name: string;
  readonly pid: number;
  readonly load: LoadGenerator;
}

/** CPU per request of a whole predict (token, rights, validation, held set, 10,000 policies, log line) beside bare node:http. */
export async function run(): Promise<void> {
  const world = createWorld({ seed: SEED, entitlements: 50_000, policies: 10_000, identities: 2_000, questions: 4096 });
  const served = await serveWorld(world);
  await using _service = served.service;
  const token = await requestToken(served);
  const bodies = world.questions.map(({ identity, accessRefs }) =>
    JSON.stringify({ identityId: identityId(identity), accessRefs }),
  );
  const answers = await Promise.all(bodies.slice(0, 64).map((body) => predict(served.api.baseAddress, token, body)));
  const answer = answers.toSorted((a, b) => a.length - b.length)[answers.length >> 1] ?? '';

  const port = await freePort();
  const bare = spawn(
    process.execPath,
    [fileURLToPath(new URL('bare-server.ts', import.meta.url)), answer, String(port)],
    { stdio: 'inherit' },
  );
  try {
    const servers = [
      await openServer('bare node:http', bare.pid ?? 0, { port, token, bodies }),
      await openServer('access-admin', served.api.pid, {
        port: Number(new URL(served.api.baseAddress).port),
        token,
        bodies,
      }),
    ];
    report(await measure(servers), world);
    for (const { load } of servers) load.close();
  } finally {
    bare.kill();
  }
}

async function requestToken({ service, api }: ServedWorld): Promise<string> {
  const { clientId, clientSecret } = service.credentials;
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const response = await fetch(`${api.baseAddress}/oauth/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function predict(baseAddress: string, token: string, body: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await fetch(`${baseAddress}/sod-violations/v1/predict`, { method: 'POST', headers, body })).text();
}

interface Target {
  readonly port: number;
  readonly token: string;
  readonly bodies: readonly string[];
}

async function openServer(name: string, pid: number, { port, token, bodies }: Target): Promise<Server> {
  const requests = bodies.map((body) =>
    Buffer.from(
      `POST /sod-violations/v1/predict HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ),
  );
  for (let tries = 0; ; tries++) {
    const load = await openLoad({ host: '127.0.0.1', port, connections: CONNECTIONS, requests }).catch(() => null);
    if (load !== null) return { name, pid, load };
    if (tries === 100) throw new Error(`${name} does not listen`);
  }
}

interface Measured {
  readonly name: string;
  readonly cpuMicros: Spread;
  readonly perSecond: Spread;
}

/** The servers take turns, so that a noisy moment hits them alike; the first round warms up. */
async function measure(servers: readonly Server[]): Promise<readonly Measured[]> {
  const cpuMicros: number[][] = servers.map(() => []);
  const perSecond: number[][] = servers.map(() => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, { pid, load }] of servers.entries()) {
      const before = cpuSecondsOf(pid);
      const { answers, seconds } = await load.run(ROUND_MS);
      if (round === 0) continue;
      cpuMicros[at]?.push(((cpuSecondsOf(pid) - before) * 1e6) / answers);
      perSecond[at]?.push(answers / seconds);
    }
  }
  return servers.map(({ name }, at) => ({
    name,
    cpuMicros: spreadOf(cpuMicros[at] ?? []),
    perSecond: spreadOf(perSecond[at] ?? []),
  }));
}

function report(results: readonly Measured[], world: World): void {
  const bare = results[0]?.cpuMicros.median ?? 0;
  printTable(
    ['server', 'CPU µs per request, median of 5 (range)', 'requests/s', 'share of bare'],
    results.map(({ name, cpuMicros, perSecond }) => [
      name,
      spreadText(cpuMicros),
      spreadText(perSecond),
      figure(bare / cpuMicros.median),
    ]),
  );
  writeResults('http', { seed: SEED, policies: world.policies.length, results });
}
