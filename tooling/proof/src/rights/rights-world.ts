import { type AccessModelInput, type AccessRef, createClient } from '@access-admin/client';
import { type Capability, SCOPES } from '@access-admin/domain';
import type { Engine } from '../campaign/campaign.ts';
import { createHttpCaller, type HttpCaller } from '../http/http-caller.ts';
import { readOperations, type ServedApi } from '../http/read-operations.ts';
import { COMPANY, changingPolicy, GRANT } from '../load/company.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { openSql, type Sql } from '../service/open-sql.ts';
import { openTokenSigner, type SignToken } from '../service/sign-token.ts';
import { newException } from './cell-request.ts';
import { type Actor, capabilitySetsOf } from './draw-cells.ts';
import { PROMISED_RIGHTS } from './promised-rights.ts';

/** One of each kind of resource of a tenant. */
export interface TenantResources {
  readonly tenant: string;
  readonly identityId: string;
  readonly profileId: string;
  readonly requestId: string;
  readonly clientId: string;
  readonly policyId: string;
  readonly reportId: string;
  readonly exceptionId: string;
}

/** A running service with two tenants, and callers with every set of capabilities in the first. */
export interface RightsWorld extends AsyncDisposable {
  readonly fleet: Fleet;
  readonly sql: Sql;
  readonly caller: HttpCaller;
  readonly api: ServedApi;
  readonly own: TenantResources;
  readonly foreign: TenantResources;
  readonly actors: readonly Actor[];
  /** Acts as an identity that may ask for exceptions, and that none of the actors is. */
  readonly askerClientId: string;
  readonly sign: SignToken;
}

const OTHER_TENANT = 'other-tenant';
const CONNECTIONS = 16;

const identity = (
  id: string,
  capabilities: readonly string[],
  access: readonly AccessRef[] = [],
): AccessModelInput => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip-staff',
  capabilities: capabilities as readonly Capability[],
  access,
});

export async function openRightsWorld(engine: Engine): Promise<RightsWorld> {
  await using stack = new AsyncDisposableStack();
  const fleet = stack.use(await openFleet(engine, { apis: 1, workers: 0 }));
  const [first] = fleet.apis;
  if (first === undefined) throw new Error('there is no API');
  const { baseAddress } = first;
  const caller = stack.use(createHttpCaller(baseAddress, CONNECTIONS));
  const sql = stack.use(await openSql(fleet.database));
  const root = fleet.connect(first);
  const other = await root.oauthClients.create({ name: 'proof', scopes: SCOPES, tenant: OTHER_TENANT });
  const elsewhere = createClient({ baseAddress, clientId: other.id, clientSecret: other.secret });
  const [asker, otherAsker] = [await registerAsker(root), await registerAsker(elsewhere)];
  const own = await createResources(root, { tenant: 'default', prefix: 'own', asker: connectAs(baseAddress, asker) });
  const foreign = await createResources(elsewhere, {
    ...{ tenant: OTHER_TENANT, prefix: 'foreign', asker: connectAs(baseAddress, otherAsker) },
  });
  const world = {
    ...{ fleet, sql, caller, own, foreign, askerClientId: asker.id },
    api: await readOperations(caller),
    actors: [...(await createActors(root)), ...(await createGone(root))],
    sign: await openTokenSigner(sql),
  };
  const owned = stack.move();
  return { ...world, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

type Client = ReturnType<Fleet['connect']>;

/** With ids that the other tenant does not have. */
async function createResources(
  client: Client,
  { tenant, prefix, asker }: { readonly tenant: string; readonly prefix: string; readonly asker: Client },
): Promise<TenantResources> {
  const [identityId, profileId, policyId] = [`i-${prefix}`, `ip-${prefix}`, `p-${prefix}`];
  const profile: AccessModelInput = { kind: 'identityProfile', id: profileId, name: prefix };
  // With the conflict that all its policies are about.
  const access = ['e-left', 'e-right'].map((id) => ({ type: 'ENTITLEMENT', id }) as const);
  const holder = identity(identityId, [], access);
  const role: AccessModelInput = { kind: 'role', id: 'r-any', name: 'Any' };
  await client.accessModel.import([...COMPANY, profile, role, holder, changingPolicy(policyId, 0)]);
  const { requestId } = await client.sodViolations.check({ ...GRANT, accessRefs: [] });
  const { id: clientId } = await client.oauthClients.create({ name: prefix, scopes: ['auth-users:read'] });
  const { reportId } = await client.sodReports.scan();
  const names = { tenant, identityId, profileId, requestId, clientId, policyId, reportId, exceptionId: '' };
  const { id: exceptionId } = await asker.sodExceptions.create(newException(names));
  return { ...names, exceptionId };
}

type Registered = Awaited<ReturnType<Client['oauthClients']['create']>>;

/** Somebody in the tenant who may ask for exceptions. */
async function registerAsker(client: Client): Promise<Registered> {
  await client.accessModel.import([...COMPANY, identity('i-asker', ['ORG_ADMIN'])]);
  return client.oauthClients.create({ name: 'asker', scopes: SCOPES, identityId: 'i-asker' });
}

const connectAs = (baseAddress: string, { id, secret }: Registered): Client =>
  createClient({ baseAddress, clientId: id, clientSecret: secret });

const register = async (root: Client, identityId: string | null): Promise<string> =>
  (await root.oauthClients.create({ name: 'actor', scopes: SCOPES, identityId })).id;

/** An application, and an identity with each set of capabilities. */
async function createActors(root: Client): Promise<readonly Actor[]> {
  const sets = capabilitySetsOf(PROMISED_RIGHTS).map((capabilities, at) => ({ id: `i-actor-${at}`, capabilities }));
  await root.accessModel.import(sets.map(({ id, capabilities }) => identity(id, capabilities)));
  const application = { name: 'an application', identityId: null, capabilities: [], isGone: false };
  const actors: Actor[] = [{ ...application, clientId: await register(root, null) }];
  for (const { id, capabilities } of sets) {
    const name = `an identity with ${capabilities.length > 1 ? `${capabilities.length} capabilities` : (capabilities[0] ?? NOTHING)}`;
    actors.push({ name, identityId: id, capabilities, isGone: false, clientId: await register(root, id) });
  }
  return actors;
}

const NOTHING = 'no capability';

/** Clients whose tokens are good but for their record or their identity. */
async function createGone(root: Client): Promise<readonly Actor[]> {
  const id = 'i-gone';
  const capabilities = ['ORG_ADMIN'];
  await root.accessModel.import([identity(id, capabilities)]);
  const ofGoneIdentity = await register(root, id);
  await root.accessModel.import([{ kind: 'identity', id, delete: true }]);
  const missing = await register(root, null);
  await root.oauthClients.delete(missing);
  return [
    { name: 'a client that is gone', clientId: missing, identityId: null, capabilities: [], isGone: true },
    { name: 'an identity that is gone', clientId: ofGoneIdentity, identityId: id, capabilities, isGone: true },
  ];
}
