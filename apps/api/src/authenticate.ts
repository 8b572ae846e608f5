import { type Caller, fail, ok, type Result } from '@access-admin/domain';
import type { ClientStore } from '@access-admin/store';
import { hostAdmits } from './base-address.ts';
import type { Exchange } from './exchange.ts';
import type { HttpFailure } from './problem.ts';
import type { VerifyToken } from './verify-token.ts';

export type Unauthenticated = Extract<HttpFailure, { type: 'Unauthenticated' }>;

export interface AuthenticateDeps {
  readonly clients: ClientStore;
  readonly verifyToken: VerifyToken;
  readonly baseAddress: string;
}

export type Authenticate = (exchange: Exchange) => Promise<Result<Caller, Unauthenticated>>;

const unauthenticated = (error: Unauthenticated['error']) =>
  fail<Unauthenticated>({ type: 'Unauthenticated', causes: [], error });

/** Turns the Authorization header into the caller. Capabilities are read from storage each time, so that a revoked one is refused at once. */
export function createAuthenticate({ clients, verifyToken, baseAddress }: AuthenticateDeps): Authenticate {
  return async (exchange) => {
    const authorization = exchange.header('authorization');
    if (authorization === null) return unauthenticated(null);
    const scheme = /^Bearer +/i.exec(authorization)?.[0];
    const verified = scheme === undefined ? null : await verifyToken(authorization.slice(scheme.length));
    if (verified === null || !hostAdmits(baseAddress, verified.tenant, exchange))
      return unauthenticated('invalid_token');
    const { tenant, clientId, scopes, own } = verified;
    if (own) {
      const record = await clients.findCaller(tenant, clientId);
      if (record === null || record.capabilities === null) return unauthenticated('invalid_token');
      return ok({ tenant, clientId, scopes, identityId: record.identityId, capabilities: record.capabilities });
    }
    const { identityId } = verified;
    const capabilities = identityId === null ? [] : await clients.findCapabilities(tenant, identityId);
    if (capabilities === null) return unauthenticated('invalid_token');
    return ok({ tenant, clientId, scopes, identityId, capabilities });
  };
}
