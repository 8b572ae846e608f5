import type { newSignInLink } from '@access-admin/contract';
import { type Forbidden, ok, validateCredentialTarget } from '@access-admin/domain';
import type { Store } from '@access-admin/store';
import type { InferOutput } from 'valibot';
import { addressOf } from '../../auth/base-address.ts';
import { auditContextOfRequest, type OperationHandler, type OperationHandlers } from '../../operations/request.ts';
import { hashOfToken } from '../../sessions/cookie.ts';
import type { GuardOf } from '../../sign-in/guard.ts';

export interface CredentialDeps {
  readonly store: Pick<Store, 'credentials' | 'signInLinks'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newSecret: () => string;
  readonly guardOf: GuardOf;
}

const HOUR_MS = 3_600_000;

export const credentialHandlers = (deps: CredentialDeps) =>
  ({
    'create-sign-in-link-v1': createSignInLink(deps),
    'remove-credentials-v1': removeCredentials(deps),
  }) satisfies Partial<OperationHandlers>;

/** create-sign-in-link-v1 */
const createSignInLink =
  ({ store: { signInLinks }, baseAddress, now, newSecret }: CredentialDeps): OperationHandler =>
  async (request) => {
    const { caller, params } = request;
    const { hours } = request.body as InferOutput<typeof newSignInLink>;
    const [createdAt, token] = [now(), newSecret()];
    const expiresMs = createdAt.getTime() + hours * HOUR_MS;
    const link = { identityId: params['id'] ?? '', link: { hash: hashOfToken(token), expiresMs } };
    const created = await signInLinks.create<Forbidden>(auditContextOfRequest(request, createdAt), link, (target) =>
      validateCredentialTarget(target, caller),
    );
    if (!created.ok) return created;
    const url = `${addressOf(baseAddress, caller.tenant)}/sign-in-link/${token}`;
    return ok({ json: { url, expires: new Date(expiresMs).toISOString() }, headers: { 'cache-control': 'no-store' } });
  };

/** remove-credentials-v1 */
const removeCredentials =
  ({ store: { credentials }, now, guardOf }: CredentialDeps): OperationHandler =>
  async (request) => {
    const { caller, params } = request;
    const removed = await credentials.removeAll<Forbidden>(auditContextOfRequest(request, now()), params['id'] ?? '', {
      decide: (view) => validateCredentialTarget(view, caller),
      guard: guardOf(request),
    });
    return removed.ok ? ok({ isEmpty: true }) : removed;
  };
