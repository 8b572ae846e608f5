import { AUTH_PROFILE_TYPES, type AuthProfile, type AuthProfileSummary } from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject } from '../validation/fields.ts';
import { responsePart, responseSchema } from '../validation/named-schema.ts';

/** Response of the operations on one auth profile. */
export const authProfile = responseSchema<AuthProfile>('Authprofile')(
  closedObject({
    id: v.string(),
    name: v.string(),
    type: v.picklist(AUTH_PROFILE_TYPES),
    offNetwork: v.boolean(),
    untrustedGeography: v.boolean(),
    applicationId: v.nullable(v.string()),
    applicationName: v.nullable(v.string()),
    strongAuthLogin: v.boolean(),
  }),
);

/** An auth profile in the list. */
const authProfileSummary = responsePart(
  'Authprofilesummary',
  closedObject({
    tenant: v.string(),
    id: v.string(),
    name: v.string(),
    type: v.picklist(AUTH_PROFILE_TYPES),
  }),
);

/** Response of the list of auth profiles. */
export const authProfileSummaries = responseSchema<readonly AuthProfileSummary[]>()(v.array(authProfileSummary));
