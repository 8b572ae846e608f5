import { accessModelRecord, validate } from '@access-admin/contract';
import {
  type AuthProfile,
  type Caller,
  type Capability,
  type Failure,
  fail,
  type NotFound,
  ok,
  planImport,
  type Result,
  recordOne,
} from '@access-admin/domain';
import { type SignInIdentity, type Store, TenantRemoved } from '@access-admin/store';
import { tenantAddress } from '../auth/base-address.ts';
import { systemContext } from '../auth/client-secrets/bootstrap-client.ts';
import { hashOfToken } from './session-cookie.ts';

export interface InvitationDeps {
  readonly store: Pick<Store, 'accessModel' | 'authProfiles' | 'authUsers' | 'credentials' | 'signInLinks'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
  readonly newTrackingId: () => string;
}

/** An invitation as an operator gives it. Leave out the name and the email of an identity that exists. */
export interface Invited {
  readonly tenant: string;
  readonly uid: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** A link that signs an administrator in once. */
export interface Invitation {
  readonly identityId: string;
  /** Whether the identity was made, or became an administrator. */
  readonly did: 'CREATED' | 'PROMOTED' | 'NOTHING';
  readonly url: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly expires: string;
}

/** The identity profile of the identities that are made here. */
const PROFILE = { id: 'administrators', name: 'Administrators' };
const OPERATION = 'invite-administrator';
const LINK_MS = 24 * 3_600_000;

/**
 * Makes an identity with ORG_ADMIN, or gives it to the one that has this username, and a link by which it sets a password or a
 * passkey, for the operator of the database. Fails, with a text, for what an import would refuse, and where the link would not
 * work: the auth profile allows no links, or the identity is not active.
 */
export async function inviteAdministrator(deps: InvitationDeps, invited: Invited): Promise<Result<Invitation, string>> {
  try {
    return await invite(deps, invited);
  } catch (error) {
    if (!(error instanceof TenantRemoved)) throw error;
    return fail(`The tenant ${error.tenant} is being removed, and its name is taken until nothing of it is left.`);
  }
}

/** What is illegal in an invitation, whatever its tenant holds; null where nothing is. */
export function illegalInvitation(invited: Invited): string | null {
  const record = validate(accessModelRecord, identityOf('new', invited));
  return record.ok ? null : textOf(record.failure);
}

async function invite(deps: InvitationDeps, invited: Invited): Promise<Result<Invitation, string>> {
  const { store, baseAddress, now } = deps;
  const { tenant, uid } = invited;
  const found = await store.credentials.findByUsername(tenant, uid);
  const administrator = found === null ? await create(deps, invited) : await promote(deps, invited, found);
  if (!administrator.ok) return administrator;
  const { identityId } = administrator.value;
  const token = deps.newSecret();
  const expiresMs = now().getTime() + LINK_MS;
  const link = { hash: hashOfToken(token), expiresMs };
  const context = systemContext(deps, tenant, OPERATION);
  const linked = await store.signInLinks.create<NotFound>(context, { identityId, link }, () => ok(null));
  if (!linked.ok) return fail(textOf(linked.failure));
  const url = `${tenantAddress(baseAddress, tenant)}/sign-in-link/${token}`;
  return ok({ ...administrator.value, url, expires: new Date(expiresMs).toISOString() });
}

type Administrator = Pick<Invitation, 'identityId' | 'did'>;

async function create(deps: InvitationDeps, invited: Invited): Promise<Result<Administrator, string>> {
  const { tenant, uid } = invited;
  const identityId = deps.newId();
  const profile = await deps.store.authProfiles.find(tenant, PROFILE.id);
  if (profile === null) {
    const made = await put(deps, tenant, { kind: 'identityProfile', ...PROFILE });
    if (!made.ok) return made;
  } else {
    const refusal = refusalOf(profile);
    if (refusal !== null)
      return fail(`${uid} would have the identity profile ${PROFILE.id}, ${refusal}. Change that first.`);
  }
  const created = await put(deps, tenant, identityOf(identityId, invited));
  return created.ok ? ok({ identityId, did: 'CREATED' }) : created;
}

/** The record of somebody new. */
const identityOf = (id: string, { uid, name, email }: Invited): object => ({
  kind: 'identity',
  id,
  uid,
  identityProfile: PROFILE.id,
  capabilities: ['ORG_ADMIN'],
  ...(name === undefined ? {} : { displayName: name }),
  ...(email === undefined ? {} : { email }),
});

/** Imports a record as the bootstrap client may. */
async function put(deps: InvitationDeps, tenant: string, given: object): Promise<Result<null, string>> {
  const record = validate(accessModelRecord, given);
  if (!record.ok) return fail(textOf(record.failure));
  const records = [{ line: 1, record: record.value }];
  const auditContext = systemContext(deps, tenant, OPERATION);
  const caller: Caller = {
    tenant,
    clientId: auditContext.actor.clientId,
    scopes: new Set(['access-model:manage']),
    identityId: null,
    capabilities: [],
  };
  const imported = await deps.store.accessModel.import({ auditContext, records, record: recordOne }, (base) =>
    planImport({ records, base, caller, now: auditContext.time }),
  );
  return imported.ok ? ok(null) : fail(textOf(imported.failure));
}

async function promote(
  deps: InvitationDeps,
  { tenant, uid, name, email }: Invited,
  { id, active, authProfile, capabilities }: SignInIdentity,
): Promise<Result<Administrator, string>> {
  if (name !== undefined || email !== undefined)
    return fail(`${uid} is the username of the identity ${id}, which keeps its name and email: leave them out.`);
  const refusal = active ? refusalOf(authProfile) : 'which is not active';
  if (refusal !== null)
    return fail(`${uid} is the username of the identity ${id}, ${refusal}. Invite another username.`);
  if (capabilities.includes('ORG_ADMIN')) return ok({ identityId: id, did: 'NOTHING' });
  const changed = await deps.store.authUsers.change<never>(systemContext(deps, tenant, OPERATION), id, {
    decide: ({ user }) => ok({ ...user, capabilities: [...new Set<Capability>([...user.capabilities, 'ORG_ADMIN'])] }),
  });
  return changed.ok ? ok({ identityId: id, did: 'PROMOTED' }) : fail(textOf(changed.failure));
}

/** Why a sign-in link does not work with this auth profile; null where it does. */
function refusalOf(profile: Pick<AuthProfile, 'name' | 'type' | 'applicationName'> | null): string | null {
  if (profile === null) return 'which has no auth profile';
  if (profile.type === 'BLOCK') return `whose auth profile ${profile.name} blocks`;
  if (profile.type === 'PTA')
    return `whose auth profile ${profile.name} signs in by ${profile.applicationName ?? 'an application'}, not by a link`;
  return null;
}

const textOf = ({ causes }: Failure): string =>
  causes.map(({ at, text }) => (at === '' ? text : `${at}: ${text}`)).join('; ');
