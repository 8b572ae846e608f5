import { NEW_POLICY, newException } from './cell-request.ts';
import type { RightsWorld, TenantResources } from './rights-world.ts';

/** What is made for one call alone, because the call uses it up: one thing after the other. */
interface Step {
  readonly path: string;
  readonly body: (resources: TenantResources) => object;
  readonly as: keyof TenantResources;
  readonly by: 'application' | 'asker';
}

const policy: Step = { path: '/sod-policies/v1', body: () => NEW_POLICY, as: 'policyId', by: 'application' };
const exception: Step = { path: '/sod-exceptions/v1', body: newException, as: 'exceptionId', by: 'asker' };

/** By the operation that uses it up. */
const VICTIMS: Readonly<Record<string, readonly Step[]>> = {
  'delete-oauth-client-v1': [
    {
      path: '/oauth-clients/v1',
      body: () => ({ name: 'victim', scopes: ['auth-users:read'] }),
      as: 'clientId',
      by: 'application',
    },
  ],
  'delete-sod-policy-v1': [policy],
  'create-sod-exception-v1': [policy],
  'approve-sod-exception-v1': [policy, exception],
  'revoke-sod-exception-v1': [policy, exception],
};

/** The resources of the tenant of the callers, for an operation that may be carried out: the other calls still need theirs. */
export async function makeVictim(
  operationId: string,
  { own, caller, sign, actors, askerClientId, api }: RightsWorld,
): Promise<TenantResources> {
  const [application] = actors;
  if (application === undefined) throw new Error('there is no application');
  let resources = own;
  for (const { path, body, as, by } of VICTIMS[operationId] ?? []) {
    const clientId = by === 'asker' ? askerClientId : application.clientId;
    const token = sign({ tenant: own.tenant, clientId, scopes: api.scopes });
    const { text } = await caller.send({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body(resources)),
    });
    const { id } = JSON.parse(text) as { readonly id: string };
    resources = { ...resources, [as]: id };
  }
  return resources;
}
