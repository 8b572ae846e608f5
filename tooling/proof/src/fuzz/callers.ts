import { randomUUID } from 'node:crypto';
import { type AccessModelInput, createClient } from '@access-admin/client';
import type { Scope } from '@access-admin/domain';
import { drawOne, type Random } from '../campaign/random.ts';
import { COMPANY } from '../load/company.ts';
import type { Fleet, RegisteredClient } from '../service/open-fleet.ts';

/** A caller of the service. */
export interface Caller {
  readonly name: string;
  /** The value of the header; null for none. */
  readonly authorization: (random: Random) => string | null;
  /** Whether every operation that needs a token must refuse it. */
  readonly isPowerless: boolean;
  /** The canary of its own tenant, which its answers may contain; null for none. */
  readonly canary: string | null;
}

/** All callers, and the texts that must be hidden from them. */
export interface Callers {
  /** Callers with rights occur several times, so that they are drawn more often. */
  readonly members: readonly Caller[];
  /** Texts in the data of the tenants, each for its own callers only. */
  readonly canaries: readonly string[];
  /** Secrets and tokens, which no answer and no log may show. */
  readonly secrets: readonly string[];
  /** A text that callers send and no refusal may repeat. */
  readonly own: string;
  /** Ids of clients that may be deleted. */
  readonly expendable: readonly string[];
  /** A client that requests tokens. */
  readonly asking: RegisteredClient;
  /** A client in a tenant without other callers. */
  readonly quiet: RegisteredClient;
}

const [OWN_TENANT, OTHER_TENANT, QUIET_TENANT] = ['default', 'tenant-b', 'tenant-c'] as const;
const ADMIN_ID = 'i-admin';
const PLAIN_ID = 'i-plain';
/** A scope that no drawn operation needs. */
const NARROW: readonly Scope[] = ['tenants:manage'];
const EXPENDABLE = 20;

/** Fills three tenants, each with a canary of its own, and registers the callers. */
export async function createCallers(fleet: Fleet): Promise<Callers> {
  const { register } = fleet;
  const fill = async (tenant: string) => {
    const canary = `canary-${randomUUID()}`;
    const client = await register({ tenant });
    const { accessModel } = createClient({ baseAddress: fleet.api.baseAddress, token: client.token });
    await accessModel.import(modelOf(canary));
    return { canary, client };
  };
  const [own, other, quiet] = [await fill(OWN_TENANT), await fill(OTHER_TENANT), await fill(QUIET_TENANT)];
  const admin = await register({ identityId: ADMIN_ID });
  const deleted = await register();
  await fleet.root.oauthClients.delete(deleted.id);
  const powerless = {
    'an application with a scope for nothing here': await register({ scopes: NARROW }),
    'an identity without capabilities': await register({ identityId: PLAIN_ID }),
    'a deleted client': deleted,
  };
  const asking = await register({ scopes: NARROW });
  const expendable: string[] = [];
  for (let left = EXPENDABLE; left > 0; left--) expendable.push((await register({ scopes: NARROW })).id);
  const broken = (random: Random) => brokenToken(own.client.token, random);
  return {
    members: [
      ...Array.from({ length: 6 }, () => member('an application with every scope', own.client, own.canary)),
      ...Array.from({ length: 3 }, () => member('an administrator', admin, own.canary)),
      member("another tenant's application", other.client, other.canary),
      ...Object.entries(powerless).map(([name, client]) => member(name, client, null)),
      { name: 'no token', authorization: () => null, isPowerless: true, canary: null },
      { name: 'a broken token', authorization: broken, isPowerless: true, canary: null },
    ],
    canaries: [own.canary, other.canary, quiet.canary],
    ...{ secrets: fleet.secrets, expendable, asking, own: `canary-${randomUUID()}`, quiet: quiet.client },
  };
}

const member = (name: string, client: Pick<RegisteredClient, 'token'>, canary: string | null): Caller => ({
  name,
  authorization: () => `Bearer ${client.token}`,
  isPowerless: canary === null,
  canary,
});

/** The company with a canary in every name. */
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

const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');

/** A value of the Authorization header that must not be accepted. */
function brokenToken(token: string, random: Random): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = Object(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  const { kid } = Object(JSON.parse(Buffer.from(header, 'base64url').toString()));
  const typ = 'at+jwt';
  return drawOne(random, [
    `Bearer ${header}.${part({ ...claims, tenant: OTHER_TENANT })}.${signature}`,
    `Bearer ${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`,
    `Bearer ${header}.${payload}.`,
    `Bearer ${header}.${payload}`,
    `Bearer ${part({ alg: 'none', typ, kid })}.${payload}.`,
    `Bearer ${part({ alg: 'HS256', typ, kid })}.${payload}.${signature}`,
    `Bearer ${part({ alg: 'ES256', typ, kid: '../../etc/passwd' })}.${payload}.${signature}`,
    `Bearer ${part({ alg: 'ES256', typ, kid: null })}.${payload}.${signature}`,
    `Bearer ${part([])}.${part([])}.${signature}`,
    `Bearer ${'x'.repeat(8193)}`,
    `Bearer ${header}.${'\xe4'}.${signature}`,
    `Basic ${Buffer.from('proof:secret').toString('base64')}`,
    'Bearer',
    `Token ${token}`,
    `Bearer "${token}"`,
  ]);
}
