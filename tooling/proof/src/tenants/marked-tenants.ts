import { createClient } from '@access-admin/client';
import { SCOPES } from '@access-admin/domain';
import type { Engine } from '../campaign/campaign.ts';
import { createHttpCaller, type HttpCaller } from '../http/http-caller.ts';
import { readOperations, type ServedApi } from '../http/read-operations.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { openSql, type Sql } from '../service/open-sql.ts';
import { openTokenSigner } from '../service/sign-token.ts';

/** A tenant of which every text bears a mark, under ids that others have too. */
export interface MarkedTenant {
  readonly tenant: string;
  /** In every text of it, and in no text of anybody else. */
  readonly mark: string;
  /** Of an application, and of an identity that is an administrator. */
  readonly tokens: readonly string[];
  /** The clients that call; nobody deletes them. */
  readonly callers: readonly string[];
  /** Ids that the service gave out, and that belong to this tenant alone. */
  readonly requestIds: string[];
  readonly clientIds: string[];
  readonly reportIds: string[];
  readonly exceptionIds: string[];
  /** Ids that its own calls have named, whosever they are: its audit log may tell of them. */
  readonly named: Set<string>;
  /** What was given to it in confidence. */
  readonly secrets: string[];
}

/** A running service with two marked tenants. */
export interface MarkedWorld extends AsyncDisposable {
  readonly fleet: Fleet;
  readonly sql: Sql;
  readonly caller: HttpCaller;
  readonly api: ServedApi;
  readonly sides: readonly [MarkedTenant, MarkedTenant];
}

/** The ids that both tenants use, and `fixed`, which nobody changes after the start. */
export const IDS = {
  entitlement: ['e-0', 'e-1', 'e-2', 'e-3'],
  accessProfile: ['ap-0', 'ap-1'],
  role: ['r-0', 'r-1'],
  identityProfile: ['ip-0', 'ip-1'],
  identity: ['i-admin', 'i-0', 'i-1', 'i-2', 'i-3', 'fixed'],
  sodPolicy: ['p-0', 'p-1', 'p-2'],
} as const;

export type MarkedKind = keyof typeof IDS;

/** Makes the text of a field. */
type Text = (field: string) => string;

/** Texts with a mark; the number tells one version of a record from the next. */
export const textsOf =
  (mark: string, number: number): Text =>
  (field) =>
    `${mark} ${field} ${number}`;

/** A record with a mark in each of its texts. */
export function markedRecord(kind: MarkedKind, id: string, text: Text): Readonly<Record<string, unknown>> {
  const side = (ids: readonly string[], name: string) => ({
    name: text(name),
    criteriaList: ids.map((item) => ({ type: 'ENTITLEMENT', id: item, name: text('item') })),
  });
  switch (kind) {
    case 'entitlement':
      return { kind, id, name: text('entitlement'), source: text('source') };
    case 'accessProfile':
      return { kind, id, name: text('access profile'), entitlements: ['e-0', 'e-1'] };
    case 'role':
      return { kind, id, name: text('role'), accessProfiles: ['ap-0'], entitlements: ['e-2'] };
    case 'identityProfile':
      return { kind, id, name: text('identity profile'), authProfile: settingsOf(text) };
    case 'identity':
      return { ...personOf(text), kind, id, identityProfile: 'ip-0', access: [{ type: 'ROLE', id: 'r-0' }] };
    case 'sodPolicy':
      return {
        ...{ kind, id, name: text('policy'), description: text('description') },
        ...{ externalPolicyReference: text('reference'), compensatingControls: text('controls') },
        ...{ correctionAdvice: text('advice'), tags: [text('tag')] },
        conflictingAccessCriteria: {
          leftCriteria: side(['e-0', 'e-1'], 'left'),
          rightCriteria: side(['e-2', 'e-3'], 'right'),
        },
      };
  }
}

const settingsOf = (text: Text) => ({
  ...{ type: 'NON_PTA', offNetwork: false, untrustedGeography: false },
  ...{ applicationId: text('application'), applicationName: text('application name') },
});

const personOf = (text: Text) => ({
  ...{ uid: text('uid'), displayName: text('display name'), alias: text('alias'), firstname: text('first name') },
  ...{ lastname: text('last name'), email: text('email'), personalEmail: text('personal email') },
  ...{ phone: text('phone'), workPhone: text('work phone'), identificationNumber: text('number') },
});

export async function openMarkedWorld(engine: Engine): Promise<MarkedWorld> {
  await using stack = new AsyncDisposableStack();
  // Whatever can be logged is.
  const fleet = stack.use(await openFleet(engine, { apis: 1, workers: 1, env: () => ({ LOG_LEVEL: 'trace' }) }));
  const [first] = fleet.apis;
  if (first === undefined) throw new Error('there is no API');
  const caller = stack.use(createHttpCaller(first.baseAddress, 1));
  const sql = stack.use(await openSql(fleet.database));
  const root = fleet.connect(first);
  const sign = await openTokenSigner(sql);
  const openSide = async (tenant: string, mark: string): Promise<MarkedTenant> => {
    // From a third tenant, which alone may know the names of both.
    const created = await root.oauthClients.create({ name: `${mark} client`, scopes: SCOPES, tenant });
    const own = createClient({ baseAddress: first.baseAddress, clientId: created.id, clientSecret: created.secret });
    await own.accessModel.import(firstRecords(mark) as Parameters<typeof own.accessModel.import>[0]);
    const acting = await own.oauthClients.create({ name: `${mark} admin`, scopes: SCOPES, identityId: 'i-admin' });
    const callers = [created.id, acting.id];
    const tokens = callers.map((clientId) => sign({ tenant, clientId, scopes: SCOPES }));
    const given = [created.secret, acting.secret];
    return {
      tenant,
      mark,
      tokens,
      callers,
      requestIds: [],
      exceptionIds: [],
      clientIds: [...callers],
      reportIds: [],
      named: new Set(),
      secrets: [...given, ...tokens],
    };
  };
  const sides = [await openSide('north-house', 'zqnorthzq'), await openSide('south-house', 'zqsouthzq')] as const;
  const world = { fleet, sql, caller, api: await readOperations(caller), sides };
  const owned = stack.move();
  return { ...world, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const firstRecords = (mark: string): readonly object[] => [
  ...(Object.keys(IDS) as MarkedKind[]).flatMap((kind) =>
    IDS[kind].map((id) => markedRecord(kind, id, textsOf(mark, 0))),
  ),
  { ...markedRecord('identity', 'i-admin', textsOf(mark, 0)), capabilities: ['ORG_ADMIN', 'HELPDESK'] },
  {
    ...{ kind: 'uiMetadata', id: 'tenant', iFrameWhitelist: `https://${mark}.example.com` },
    ...{ usernameLabel: `${mark} label`, usernameEmptyText: `${mark} text` },
  },
];
