import { isTenantName, SCOPES, TENANT_NAME_LENGTH_MAX } from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject, name, reference } from '../validation/fields.ts';
import { fault } from '../validation/validate.ts';

/** Request of the creation of a client. */
export const newOauthClient = closedObject({
  name,
  scopes: v.pipe(
    v.array(v.unknown()),
    v.nonEmpty(fault('RequiredMissing', 'must not be empty')),
    v.maxLength(SCOPES.length, fault('IllegalValue', 'must not repeat a scope')),
    v.array(v.picklist(SCOPES, fault('IllegalValue', 'must be a known scope'))),
    v.check((names) => new Set(names).size === names.length, fault('IllegalValue', 'must not repeat a scope')),
  ),
  identityId: v.optional(v.nullable(reference), null),
  tenant: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.check(isTenantName, fault('IllegalValue', `must be 1 to ${TENANT_NAME_LENGTH_MAX} of a-z, 0-9 and -`)),
        v.metadata({ pattern: `^[a-z0-9-]{1,${TENANT_NAME_LENGTH_MAX}}$` }),
      ),
    ),
    null,
  ),
});

/** Answer of the reads of a client. */
export const oauthClient = v.object({
  id: v.string(),
  name: v.string(),
  scopes: v.array(v.string()),
  identityId: v.nullable(v.string()),
  tenant: v.string(),
  created: v.pipe(v.string(), v.isoTimestamp()),
});

/** Answer of the creation: the only time that the secret is shown. */
export const oauthClientWithSecret = v.object({ ...oauthClient.entries, secret: v.string() });
