import { createClient } from '@access-admin/client';
import { SCOPES } from '@access-admin/domain';
import type { Engine } from '../campaign/campaign.ts';
import { type ApiOperation, readApiDocument } from '../http/api-document.ts';
import { openSql, type Sql } from '../service/open-database.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { requestToken } from '../service/request-token.ts';
import { type CallSender, createCallSender } from './send-call.ts';

/** A tenant with a mark in each of its texts; other tenants use the same ids. */
export interface MarkedTenant {
  readonly tenant: string;
  /** Part of each of its texts, and of no other text. */
  readonly mark: string;
  /** The tokens of an application and of an administrator. */
  readonly tokens: string[];
  /** The clients that call; they are never deleted. */
  readonly callers: readonly string[];
  /** Ids that the service generated for this tenant alone. */
  readonly requestIds: string[];
  readonly clientIds: string[];
  readonly reportIds: string[];
  readonly exceptionIds: string[];
  /** Ids that its own calls have named: its audit log may contain them, whichever tenant they belong to. */
  readonly named: Set<string>;
  /** Its secrets and tokens. */
  readonly secrets: string[];
}

/** A running service with two marked tenants. */
export interface MarkedWorld extends AsyncDisposable {
  readonly fleet: Fleet;
  readonly sql: Sql;
  readonly caller: CallSender;
  /** The operations that need a token. */
  readonly operations: readonly ApiOperation[];
  /** The paths of GET operations that need none. */
  readonly open: readonly string[];
  readonly sides: readonly [MarkedTenant, MarkedTenant];
  /** Requests new tokens once the current ones are old. */
  renew(): Promise<void>;
}

/** The ids that both tenants use; `fixed` is not changed after the start. */
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

/** Texts with a mark; the number distinguishes versions of a record. */
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

/** A third of the lifetime of a token. */
const RENEW_AFTER_MS = 5 * 60_000;

export async function openMarkedWorld(engine: Engine): Promise<MarkedWorld> {
  await using stack = new AsyncDisposableStack();
  // The most verbose level, so that every possible line is searched.
  const fleet = stack.use(await openFleet(engine, { apis: 1, workers: 1, env: () => ({ LOG_LEVEL: 'trace' }) }));
  const { baseAddress } = fleet.api;
  const caller = stack.use(createCallSender(baseAddress));
  const sql = stack.use(await openSql(fleet.database));
  const openSide = async (tenant: string, mark: string) => {
    // The caller belongs to a third tenant: only its audit log may contain the names of both clients.
    const application = await fleet.root.oauthClients.create({ name: `${mark} client`, scopes: SCOPES, tenant });
    const own = createClient({ baseAddress, clientId: application.id, clientSecret: application.secret });
    await own.accessModel.import(firstRecords(mark) as Parameters<typeof own.accessModel.import>[0]);
    const admin = await own.oauthClients.create({ name: `${mark} admin`, scopes: SCOPES, identityId: 'i-admin' });
    const clients = [application, admin];
    const side: MarkedTenant = {
      ...{ tenant, mark, tokens: [], callers: clients.map(({ id }) => id), clientIds: clients.map(({ id }) => id) },
      ...{ requestIds: [], exceptionIds: [], reportIds: [], named: new Set() },
      secrets: clients.map(({ secret }) => secret),
    };
    const renew = async () => {
      const tokens = await Promise.all(clients.map(({ id, secret }) => requestToken(baseAddress, id, secret)));
      side.tokens.splice(0, side.tokens.length, ...tokens);
      side.secrets.push(...tokens);
    };
    await renew();
    return { side, renew };
  };
  const [north, south] = [
    await openSide('north-house', 'zqnorthzq'),
    await openSide('south-house', 'zqsouthzq'),
  ] as const;
  const { operations } = await readApiDocument(baseAddress);
  let renewedMs = performance.now();
  const owned = stack.move();
  return {
    ...{ fleet, sql, caller, sides: [north.side, south.side] },
    operations: operations.filter(({ isPublic }) => !isPublic),
    open: operations.filter(({ isPublic, method }) => isPublic && method === 'GET').map(({ path }) => path),
    renew: async () => {
      if (performance.now() - renewedMs < RENEW_AFTER_MS) return;
      renewedMs = performance.now();
      await Promise.all([north.renew(), south.renew()]);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
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
