import { fail, failure, ok } from '@access-admin/domain';
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
        const given = identityId === undefined ? 'username' : 'identityId';
        return fail(failure('NotFound', given, 'there is no such identity'));
      }
      const origin = { address: ip, country: country ?? countryOf(ip) };
      const atMs = at === null ? null : Date.parse(at);
      return ok({ json: await decide({ tenant, identity, origin, nowMs: now().getTime(), atMs }) });
    },
  }) satisfies Partial<OperationHandlers>;
