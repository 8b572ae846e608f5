import { type AccessAdminClient, createClient } from '@access-admin/client';
import { cpuSecondsOf } from '../measure/process-usage.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { createWorld, identityId, type World } from '../world/create-world.ts';
import type { Checkout } from './checkout.ts';
import { type Compared, collectRounds } from './ratios.ts';
import type { Values } from './subjects.ts';

// Two assignments of each identity are left for the files that change it.
const SIZE = {
  seed: 20_261_121,
  entitlements: 5_000,
  policies: 11_000,
  identities: 13_000,
  questions: 1,
  assignments: 22,
};
const ROWS = 10_000;
const MIXED = { accessProfiles: 500, roles: 200, identities: 3_000, policies: 1_000 };
const CATALOGUE = 'catalogue';

interface Options {
  readonly rounds: number;
  readonly engine: string;
  /** By default SQLite. */
  readonly databaseUrlOf?: () => Promise<string>;
}

/** The lines of one import. */
interface ImportFile {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Imports over HTTP into a new tenant each round: files that create records, and files that change all of them. */
export async function compareImports(
  checkouts: readonly Checkout[],
  { rounds, engine, databaseUrlOf }: Options,
): Promise<readonly Compared[]> {
  await using started = new AsyncDisposableStack();
  const files = filesOf(createWorld(SIZE));
  const opened: (() => Promise<Values>)[] = [];
  for (const { folder } of checkouts) {
    const databaseUrl = await databaseUrlOf?.();
    const service = started.use(
      openMeasuredService({ checkout: folder, ...(databaseUrl === undefined ? {} : { databaseUrl }) }),
    );
    const api = await service.startApi();
    let tenants = 0;
    opened.push(async () => {
      const client = await clientOfTenant(api, `tenant-${tenants++}`);
      const values: Record<string, number> = {};
      for (const { name, lines } of files) {
        const [start, cpuStart] = [performance.now(), cpuSecondsOf(api.pid)];
        await client.accessModel.import(lines.join('\n'));
        const title = `import, ${engine}, ${name}`;
        values[`${title}, records/s`] = (lines.length * 1000) / (performance.now() - start);
        values[`${title}, CPU µs`] = ((cpuSecondsOf(api.pid) - cpuStart) * 1e6) / lines.length;
      }
      return values;
    });
  }
  return await collectRounds(opened, (play) => play(), rounds);
}

async function clientOfTenant(
  { client, baseAddress }: { readonly client: AccessAdminClient; readonly baseAddress: string },
  tenant: string,
): Promise<AccessAdminClient> {
  const { id, secret } = await client.oauthClients.create({ name: tenant, scopes: ['access-model:manage'], tenant });
  return createClient({ baseAddress, clientId: id, clientSecret: secret });
}

function filesOf({ catalogue, policies, held }: World): readonly ImportFile[] {
  const policy = (number: number, more: object = {}) => {
    const { created: _, modified: __, ...fields } = policies[number] ?? ({} as World['policies'][number]);
    return { kind: 'sodPolicy', ...fields, ...more };
  };
  const identity = (number: number, first: number) => ({
    ...{ kind: 'identity', id: identityId(number), uid: identityId(number), identityProfile: 'employees' },
    ...{ displayName: `Identity ${number}`, email: `${identityId(number)}@example.com` },
    access: held[number]?.slice(first, first + SIZE.assignments - 2),
  });
  const ids = catalogue.entitlements.map(({ id }) => id);
  const some = (number: number, count: number) => ids.slice(number, number + count);
  const mixed = [
    ...times(MIXED.accessProfiles, (at) => ({
      ...{ kind: 'accessProfile', id: `bundle-${at}`, name: `Bundle ${at}` },
      entitlements: some(at, 20),
    })),
    ...times(MIXED.roles, (at) => ({
      ...{ kind: 'role', id: `role-${at}`, name: `Role ${at}`, accessProfiles: [`bundle-${at}`] },
      entitlements: some(at, 10),
    })),
    ...times(MIXED.identities, (at) => identity(ROWS + at, 0)),
    ...times(MIXED.policies, (at) => policy(ROWS + at)),
  ];
  const entitlements = catalogue.entitlements.map((fields) => ({ kind: 'entitlement', ...fields }));
  const files: Readonly<Record<string, readonly object[]>> = {
    [CATALOGUE]: [...entitlements, { kind: 'identityProfile', id: 'employees', name: 'Employees' }],
    identities: times(ROWS, (at) => identity(at, 0)),
    policies: times(ROWS, (at) => policy(at)),
    mixed,
    'identities changed': times(ROWS, (at) => identity(at, 1)),
    'policies changed': times(ROWS, (at) => policy(at, { level: 'LOW' })),
    'policies unchanged': times(ROWS, (at) => policy(at, { level: 'LOW' })),
  };
  return Object.entries(files).map(([name, records]) => ({
    name,
    lines: records.map((record) => JSON.stringify(record)),
  }));
}

const times = (count: number, make: (at: number) => object) => Array.from({ length: count }, (_, at) => make(at));
