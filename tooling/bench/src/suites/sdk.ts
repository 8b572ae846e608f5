import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createClient } from '@access-admin/client';
import { build } from 'tsdown';
import { openConnections } from '../load/http-connection.ts';
import { type SuiteResult, spreadText } from '../measure/report.ts';
import { ratioOf, spreadOf, takeTurns } from '../measure/rounds.ts';
import { startBareServer } from '../servers/start-bare-server.ts';

const KIB = 1024;
const CALLS_AT_ONCE = 16;
const ROUND_MS = 2000;
export const ANSWER = '{"violationContexts":[]}';
export const ACCESS = { identityId: 'identity', accessRefs: [{ type: 'ENTITLEMENT' as const, id: 'entitlement' }] };

/** Size of the SDK in an application, and CPU of a call through it compared with `fetch`. */
export async function run(): Promise<SuiteResult> {
  const { code, imports } = await bundleClient(clientFolder);
  const gzipped = gzipSync(code).length;
  const costs = await measureCalls();
  const [sdk, bare] = [costs.sdk, costs.fetch];
  return {
    name: 'sdk',
    tables: [
      {
        header: ['CPU µs per call of the calling process', 'median (range)'],
        rows: [
          ['SDK', spreadText(spreadOf(sdk))],
          ['fetch', spreadText(spreadOf(bare))],
        ],
      },
    ],
    figures: [
      { name: 'bundle in KiB, minified and gzipped', spread: spreadOf([gzipped / KIB]), goal: 6, less: true },
      { name: 'imports and dependencies', spread: spreadOf([imports + countDependencies()]), goal: 0, less: true },
      { name: 'CPU of a call, times fetch', spread: ratioOf(sdk, bare) },
    ],
    raw: { bytes: code.length, gzipped, ...costs },
  };
}

const clientFolder = fileURLToPath(new URL('../../../../packages/client/', import.meta.url));

/** Bundles the client in a folder with the options of its own test. */
export async function bundleClient(cwd: string): Promise<{ readonly code: string; readonly imports: number }> {
  const options = { cwd, write: false, clean: false, minify: true, dts: false } as const;
  const [bundle] = await build({ ...options, logLevel: 'silent' });
  const chunks = bundle?.chunks.filter((chunk) => chunk.type === 'chunk') ?? [];
  if (chunks.length === 0) throw new Error('the bundle is empty');
  return {
    code: chunks.map(({ code }) => code).join(''),
    imports: chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]).length,
  };
}

function countDependencies(): number {
  const manifest = JSON.parse(readFileSync(`${clientFolder}package.json`, 'utf8'));
  return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).length;
}

async function measureCalls(): Promise<{ readonly sdk: readonly number[]; readonly fetch: readonly number[] }> {
  const { port, running } = await startBareServer(ANSWER);
  await using _running = running;
  // Resolves once the server listens.
  for (const connection of await openConnections(port, 1)) connection.close();
  const baseAddress = `http://127.0.0.1:${port}`;
  const client = createClient({ baseAddress, token: 'token' });
  const throughSdk = () => client.sodViolations.predict(ACCESS);
  const throughFetch = async () => {
    const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
    const url = `${baseAddress}/sod-violations/v1/predict`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(ACCESS) });
    return response.json();
  };
  const [sdk = [], bare = []] = await takeTurns([throughSdk, throughFetch], cpuMicrosOfCalls);
  return { sdk, fetch: bare };
}

/** CPU of this process per call, with 16 calls under way. */
export async function cpuMicrosOfCalls(call: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + ROUND_MS;
  const before = process.cpuUsage();
  let calls = 0;
  const callOn = async () => {
    for (; performance.now() < end; calls++) await call();
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, callOn));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
