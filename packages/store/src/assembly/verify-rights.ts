import { type Authorization, authorize, type Capability } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { Database, ReadsAndWrites } from '../engine/database.ts';
import { RightsLost } from '../engine/errors.ts';
import type { Scope } from '../engine/scope.ts';
import type { Tables } from '../schema/tables.ts';
import { actingFault } from '../sign-in/clients/acting-fault.ts';
import { capabilitiesFor, findCallingClient, findIdentityRights } from '../sign-in/clients/calling.ts';
import { findLiveSession } from '../sign-in/sessions.ts';

/** Verifies in each write transaction that the caller still has the rights with which the request was authorized. */
export function verifyRights(database: Database): Database {
  const verified = ({ read, write, writeAlone }: ReadsAndWrites): ReadsAndWrites => ({
    read,
    write: (scope, work) => write(scope, withVerification(scope, work)),
    writeAlone: (scope, work) => writeAlone(scope, withVerification(scope, work)),
  });
  return {
    ...database,
    ...verified(database),
    hold: (work) => database.hold((held) => work(verified(held))),
    writeShared: (scope, { change, record }) =>
      database.writeShared(scope, { change, record: withVerification(scope, record) }),
  };
}

function withVerification<T>(scope: Scope, work: (trx: Transaction<Tables>) => Promise<T>): typeof work {
  const authorization = typeof scope === 'string' ? undefined : scope.authorization;
  if (authorization === undefined) return work;
  return async (trx) => {
    await verify(trx, authorization);
    return work(trx);
  };
}

interface PresentRights {
  readonly scopes: ReadonlySet<string>;
  readonly capabilities: readonly Capability[];
}

async function verify(trx: Transaction<Tables>, { rights, caller, targetIdentityId }: Authorization): Promise<void> {
  const present = await findRights(trx, caller);
  if (present === null) throw new RightsLost(null);
  const decision = authorize(rights, { ...caller, ...present }, targetIdentityId);
  if (!decision.ok) throw new RightsLost(decision.failure);
}

/** Null if the caller is gone. */
async function findRights(
  trx: Transaction<Tables>,
  { tenant, clientId, clientCreated = null, secretVersion = null, issuedMs, ...caller }: Authorization['caller'],
): Promise<PresentRights | null> {
  const { scopes, identityId, sessionId } = caller;
  if (clientCreated !== null) {
    const client = await findCallingClient(trx, tenant, clientId);
    if (client === null || client.created !== clientCreated || client.capabilities === null) return null;
    if (actingFault(client, secretVersion) !== null) return null;
    return {
      scopes: new Set([...scopes].filter((scope) => client.scopes.has(scope))),
      capabilities: client.capabilities,
    };
  }
  if (sessionId !== undefined && !(await findLiveSession(trx, tenant, sessionId))) return null;
  const capabilities =
    identityId === null ? [] : capabilitiesFor(await findIdentityRights(trx, tenant, identityId), issuedMs);
  return capabilities === null ? null : { scopes, capabilities };
}
