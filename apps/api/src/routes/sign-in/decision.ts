import { fail, failure, hasCompatibilityForms, ok } from '@access-admin/domain';
import type { CredentialStore } from '@access-admin/store';
import type { OperationHandlers } from '../../operations/operation.ts';
import type { DecideSignIn } from '../../sign-in/decide.ts';
import type { CountryOf } from '../../sign-in/origin.ts';

export interface DecisionParts {
  readonly credentials: Pick<CredentialStore, 'findByUsername' | 'findIdentity'>;
  readonly decide: DecideSignIn;
  readonly countryOf: CountryOf;
  readonly now: () => Date;
}

export const decisionHandlers = ({ credentials, decide, countryOf, now }: DecisionParts) =>
  ({
    'decide-sign-in-v1': async ({ caller: { tenant }, body }) => {
      const { identityId, username, ip, country, at } = body;
      const identity = await (identityId === undefined
        ? credentials.findByUsername(tenant, username ?? '')
        : credentials.findIdentity(tenant, identityId));
      if (identity === null) {
        if (username !== undefined && hasCompatibilityForms(username))
          return fail(failure('NotFound', 'username', COMPATIBILITY_FORMS));
        const given = identityId === undefined ? 'username' : 'identityId';
        return fail(failure('NotFound', given, 'there is no such identity'));
      }
      const origin = { address: ip, country: country ?? countryOf(ip) };
      const atMs = at === null ? null : Date.parse(at);
      return ok({ json: await decide({ tenant, identity, origin, nowMs: now().getTime(), atMs }) });
    },
  }) satisfies Partial<OperationHandlers>;

const COMPATIBILITY_FORMS =
  'has characters that stand for others, such as full-width letters and ligatures: no identity has such a username, and a sign-in with it is refused';
