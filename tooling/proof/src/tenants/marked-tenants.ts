import { createClient } from '@access-admin/client';
import { PUBLIC_ENDPOINTS } from '@access-admin/contract';
import type { Engine } from '../campaign/campaign.ts';
import { createCaller } from '../http/caller.ts';
import { type Fleet, openFleet, type RegisteredClient } from '../service/open-fleet.ts';

/** A tenant with a mark in each of its texts; other tenants use the same ids. */
export interface MarkedTenant {
  readonly tenant: string;
  /** Part of each of its texts, and of no other text. */
  readonly mark: string;
  /** An application and an administrator; they are never deleted. */
  readonly callers: readonly RegisteredClient[];
  /** Ids that the service generated for this tenant alone, by the collection in their path. */
  readonly ids: Record<string, string[]>;
  /** Ids that its own calls have named: its audit log may contain them, whichever tenant they belong to. */
  readonly named: Set<string>;
  /** Secrets of the clients that its calls have created. */
  readonly secrets: string[];
}

export type MarkedWorld = Awaited<ReturnType<typeof openMarkedWorld>>;

/** The ids that both tenants use; `fixed` is not changed after the start. */
export const IDS = {
  entitlement: ['e-0', 'e-1', 'e-2', 'e-3'],
  accessProfile: ['ap-0', 'ap-1'],
  role: ['r-0', 'r-1'],
  identityProfile: ['ip-0', 'ip-1'],
  identity: ['i-admin', 'i-0', 'i-1', 'i-2', 'i-3', 'fixed'],
  sodPolicy: ['p-0', 'p-1', 'p-2'],
  source: ['s-0', 's-1'],
  account: ['a-0', 'a-1', 'a-2'],
} as const;

export type MarkedKind = keyof typeof IDS;

/** The collection that a path, or the beginning of one, leads to: the last part that is neither an id nor a version. */
export const collectionOf = (path: string): string =>
  path.split('/').findLast((part) => part !== '' && !/^(?:v\d+|\{\w+\})$/.test(part)) ?? '';

/** A record whose texts begin with a mark. */
export function markedRecord(kind: MarkedKind, id: string, mark: string): Readonly<Record<string, unknown>> {
  const text = (field: string) => `${mark} ${field}`;
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
      return {
        kind,
        id,
        name: text('identity profile'),
        authProfile: {
          type: 'NON_PTA',
          offNetwork: false,
          untrustedGeography: false,
          applicationId: text('application'),
          applicationName: text('application name'),
        },
      };
    case 'identity':
      return {
        kind,
        id,
        identityProfile: 'ip-0',
        access: [{ type: 'ROLE', id: 'r-0' }],
        ...Object.fromEntries(PERSONAL.map((field) => [field, text(field)])),
        uid: text(`uid of ${id}`),
      };
    case 'source':
      return {
        kind,
        id,
        name: text('source'),
        description: text('description'),
        correlation: [{ account: 'name', identity: 'uid' }],
      };
    case 'account':
      return {
        kind,
        source: 's-0',
        id,
        name: text(`uid of ${id.replace('a-', 'i-')}`),
        displayName: text('account'),
        email: text('address'),
        attributes: { note: text('note') },
        access: [{ type: 'ENTITLEMENT', id: 'e-3' }],
      };
    case 'sodPolicy':
      return {
        kind,
        id,
        name: text('policy'),
        description: text('description'),
        externalPolicyReference: text('reference'),
        compensatingControls: text('controls'),
        correctionAdvice: text('advice'),
        tags: [text('tag')],
        conflictingAccessCriteria: {
          leftCriteria: side(['e-0', 'e-1'], 'left'),
          rightCriteria: side(['e-2', 'e-3'], 'right'),
        },
      };
  }
}

const PERSONAL = [
  'displayName',
  'alias',
  'firstname',
  'lastname',
  'email',
  'personalEmail',
  'phone',
  'workPhone',
  'identificationNumber',
];

/** Starts a service with two marked tenants. */
export async function openMarkedWorld(engine: Engine) {
  await using stack = new AsyncDisposableStack();
  // The most verbose level, so that every possible line is searched.
  const fleet = stack.use(await openFleet(engine, { apis: 1, workers: 1, env: () => ({ LOG_LEVEL: 'trace' }) }));
  const { baseAddress } = fleet.api;
  const ended = new AbortController();
  stack.defer(() => ended.abort());
  const send = createCaller({ baseAddress, token: null, from: '127.0.0.1', signal: ended.signal });
  const north = await markTenant(fleet, 'north-house', 'zqnorthzq');
  const south = await markTenant(fleet, 'south-house', 'zqsouthzq');
  const owned = stack.move();
  return {
    fleet,
    send,
    sides: [north, south] as const,
    /** The paths of GET endpoints that need no token. */
    open: PUBLIC_ENDPOINTS.filter(({ method }) => method === 'GET').map(({ path }) => path),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Fills a tenant and registers its callers. */
async function markTenant(
  { api: { baseAddress }, register }: Fleet,
  tenant: string,
  mark: string,
): Promise<MarkedTenant> {
  // Registered by a client of a third tenant: only its audit log may contain the names of the callers of both.
  const application = await register({ tenant, name: `${mark} client` });
  const { accessModel } = createClient({ baseAddress, token: application.token });
  await accessModel.import(firstRecords(mark) as Parameters<typeof accessModel.import>[0]);
  const callers = [application, await register({ tenant, name: `${mark} admin`, identityId: 'i-admin' })];
  const ids = { 'oauth-clients': callers.map(({ id }) => id) };
  return { tenant, mark, callers, ids, secrets: [], named: new Set() };
}

const firstRecords = (mark: string): readonly object[] => [
  ...(Object.keys(IDS) as MarkedKind[]).flatMap((kind) => IDS[kind].map((id) => markedRecord(kind, id, mark))),
  { ...markedRecord('identity', 'i-admin', mark), capabilities: ['ORG_ADMIN', 'HELPDESK'] },
  {
    kind: 'uiMetadata',
    id: 'tenant',
    iFrameWhitelist: `https://${mark}.example.com`,
    usernameLabel: `${mark} label`,
    usernameEmptyText: `${mark} text`,
  },
];
