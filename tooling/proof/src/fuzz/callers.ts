import { randomUUID } from 'node:crypto';
import type { AccessModelInput } from '@access-admin/client';
import { SCOPES, type Scope } from '@access-admin/domain';
import { drawOne, type Random } from '../campaign/random.ts';
import { COMPANY } from '../load/company.ts';
import type { Fleet } from '../service/open-fleet.ts';
import { createRegistry, type Registered } from './register-clients.ts';

/** Somebody who calls. */
export interface Caller {
  readonly name: string;
  /** The value of the header; null for none. */
  readonly authorization: (random: Random) => string | null;
  /** Whether every operation that asks for a token must be refused. */
  readonly isPowerless: boolean;
  /** The canaries of its own tenant, which it may see; null where there are none. */
  readonly canary: string | null;
}

/** Everybody who calls, and what nobody else may see. */
export interface Callers {
  /** Some of them several times: who is let in is drawn more often. */
  readonly members: readonly Caller[];
  /** What stands in the data of the tenants, each for its own callers only. */
  readonly canaries: readonly string[];
  /** Secrets and tokens, which no answer and no log may show. */
  readonly secrets: readonly string[];
  /** What a caller sends and no refusal may repeat. */
  readonly own: string;
  /** Ids of clients that may be deleted. */
  readonly expendable: readonly string[];
  /** A client that asks for tokens. */
  readonly asking: Registered;
  /** A client in a tenant that nobody else calls. */
  readonly quiet: Registered;
  /** To be called now and then, so that tokens stay good. */
  renew(): Promise<void>;
}

const [OWN_TENANT, OTHER_TENANT, QUIET_TENANT] = ['default', 'tenant-b', 'tenant-c'] as const;
const ADMIN_ID = 'i-admin';
const PLAIN_ID = 'i-plain';
/** No operation asks for it. */
const NARROW: readonly Scope[] = ['tenants:manage'];
const EXPENDABLE = 20;

/** Fills three tenants, each with names of its own, and registers the callers. */
export async function createCallers(fleet: Fleet): Promise<Callers> {
  const registry = createRegistry(fleet);
  const fill = async (tenant: string) => {
    const canary = `canary-${randomUUID()}`;
    const client = await registry.register({ tenant, scopes: SCOPES });
    await importModel(registry.baseAddress, client.token(), canary);
    return { canary, client };
  };
  const inOwn = (scopes: readonly Scope[], identityId?: string) =>
    registry.register({ tenant: OWN_TENANT, scopes, ...(identityId === undefined ? {} : { identityId }) });
  const [own, other, quiet] = [await fill(OWN_TENANT), await fill(OTHER_TENANT), await fill(QUIET_TENANT)];
  const missing = await inOwn(SCOPES);
  await registry.remove(missing);
  const admin = await inOwn(SCOPES, ADMIN_ID);
  const powerless = {
    'an application with a scope for nothing here': await inOwn(NARROW),
    'an identity without capabilities': await inOwn(SCOPES, PLAIN_ID),
    'a client that is gone': missing,
  };
  const asking = await inOwn(NARROW);
  const expendable: string[] = [];
  const broken = (random: Random) => brokenToken(own.client.token(), random);
  const plan = { tenant: OWN_TENANT, scopes: NARROW, isExpendable: true } as const;
  for (let left = EXPENDABLE; left > 0; left--) expendable.push((await registry.register(plan)).id);
  return {
    members: [
      ...Array.from({ length: 6 }, () => member('an application with every scope', own.client, own.canary)),
      ...Array.from({ length: 3 }, () => member('an administrator', admin, own.canary)),
      member("another tenant's application", other.client, other.canary),
      ...Object.entries(powerless).map(([name, client]) => member(name, client, null)),
      { name: 'nobody', authorization: () => null, isPowerless: true, canary: null },
      { name: 'a broken token', authorization: broken, isPowerless: true, canary: null },
    ],
    canaries: [own.canary, other.canary, quiet.canary],
    secrets: registry.secrets,
    own: `canary-${randomUUID()}`,
    expendable,
    asking,
    quiet: quiet.client,
    renew: registry.renew,
  };
}

const member = (name: string, client: Registered, canary: string | null): Caller => ({
  name,
  authorization: () => `Bearer ${client.token()}`,
  isPowerless: canary === null,
  canary,
});

/** The company with a canary in all that has a name. */
function modelOf(canary: string): readonly AccessModelInput[] {
  const named = COMPANY.map((record) => ('name' in record ? { ...record, name: `${record.name} ${canary}` } : record));
  const profile = { identityProfile: 'ip-staff', displayName: canary, email: `${canary}@example.com`, phone: canary };
  return [
    ...named,
    { kind: 'identity', id: ADMIN_ID, uid: `${canary}-admin`, capabilities: ['ORG_ADMIN'], ...profile },
    { kind: 'identity', id: PLAIN_ID, uid: `${canary}-plain`, capabilities: [], ...profile },
    { kind: 'identity', id: canary, uid: `${canary}-id`, ...profile },
  ];
}

async function importModel(baseAddress: string, token: string, canary: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
  const lines = modelOf(canary).map((record) => JSON.stringify(record));
  const answer = await fetch(`${baseAddress}/access-model/v1/import`, {
    method: 'POST',
    headers,
    body: lines.join('\n'),
  });
  if (!answer.ok) throw new Error(`the import was refused: ${await answer.text()}`);
}

const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');

/** A token that must not verify. */
function brokenToken(token: string, random: Random): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = Object(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  const { kid } = Object(JSON.parse(Buffer.from(header, 'base64url').toString()));
  return drawOne<() => string>(random, [
    () => `Bearer ${header}.${part({ ...claims, tenant: OTHER_TENANT })}.${signature}`,
    () => `Bearer ${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`,
    () => `Bearer ${header}.${payload}.`,
    () => `Bearer ${header}.${payload}`,
    () => `Bearer ${part({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.`,
    () => `Bearer ${part({ alg: 'HS256', typ: 'at+jwt', kid })}.${payload}.${signature}`,
    () => `Bearer ${part({ alg: 'ES256', typ: 'at+jwt', kid: '../../etc/passwd' })}.${payload}.${signature}`,
    () => `Bearer ${part({ alg: 'ES256', typ: 'at+jwt', kid: null })}.${payload}.${signature}`,
    () => `Bearer ${part([])}.${part([])}.${signature}`,
    () => `Bearer ${'x'.repeat(8193)}`,
    () => `Bearer ${header}.${'\xe4'}.${signature}`,
    () => `Basic ${Buffer.from('door:secret').toString('base64')}`,
    () => 'Bearer',
    () => `Token ${token}`,
    () => `Bearer "${token}"`,
  ])();
}
