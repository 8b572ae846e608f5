import { AUTH_PROFILE_TYPES } from '@access-admin/domain';
import * as v from 'valibot';

/** Answer of the auth profile operations. */
export const authProfile = v.object({
  id: v.string(),
  name: v.string(),
  type: v.picklist(AUTH_PROFILE_TYPES),
  offNetwork: v.boolean(),
  untrustedGeography: v.boolean(),
  applicationId: v.nullable(v.string()),
  applicationName: v.nullable(v.string()),
  strongAuthLogin: v.boolean(),
});

/** Answer of the list of auth profiles. */
export const authProfileSummaries = v.array(
  v.object({ tenant: v.string(), id: v.string(), name: v.string(), type: v.picklist(AUTH_PROFILE_TYPES) }),
);
