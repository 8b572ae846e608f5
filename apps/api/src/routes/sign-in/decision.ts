import type { signInQuestion } from '@access-admin/contract';
import { fail, failure, hasCompatibilityForms, ok } from '@access-admin/domain';
import type { Store } from '@access-admin/store';
import type { InferOutput } from 'valibot';
import type { OperationHandler, OperationHandlers } from '../../operations/request.ts';
import type { DecideSignIn } from '../../sign-in/decide.ts';
import type { CountryOf } from '../../sign-in/origin.ts';

export interface DecisionParts {
  readonly credentials: Pick<CredentialStore, 'findByUsername' | 'findIdentity'>;
  readonly decide: DecideSignIn;
  readonly countryOf: CountryOf;
  readonly now: () => Date;
}

export const decisionHandlers = (deps: DecisionDeps) =>
  ({ 'decide-sign-in-v1': decideSignInRoute(deps) }) satisfies Partial<OperationHandlers>;

const COMPATIBILITY_FORMS =
  'has characters that stand for others, such as full-width letters and ligatures: no identity has such a username, and a sign-in with it is refused';

/** decide-sign-in-v1 */
const decideSignInRoute =
  ({ store: { credentials }, decide, countryOf, now }: DecisionDeps): OperationHandler =>
  async ({ caller: { tenant }, body }) => {
    const { identityId, username, ip, country, at } = body as InferOutput<typeof signInQuestion>;
    const identity = await (identityId === undefined
      ? credentials.findByUsername(tenant, username ?? '')
      : credentials.findIdentity(tenant, identityId));
    if (identity === null) {
      if (username !== undefined && hasCompatibilityForms(username))
        return fail(failure('NotFound', 'username', COMPATIBILITY_FORMS));
      return fail(
        failure('NotFound', identityId === undefined ? 'username' : 'identityId', 'there is no such identity'),
      );
    }
    const origin = { address: ip, country: country ?? countryOf(ip) };
    const atMs = at === null ? null : Date.parse(at);
    return ok({ json: await decide({ tenant, identity, origin, nowMs: now().getTime(), atMs }) });
  };
