import { AUTH_PROFILE_TYPES, type AuthProfile, type AuthProfileSummary } from '@access-admin/domain';
import * as v from 'valibot';
import { APPLICATION_ID_LENGTH_MAX, APPLICATION_NAME_LENGTH_MAX } from '../limits.ts';
import { closedObject, inOneDirection, textOf } from '../validation/fields.ts';
import { responsePart, responseSchema } from '../validation/named-schema.ts';
import { resourcePatch } from '../validation/patch.ts';

const nullableText = (lengthMax: number) => v.nullable(v.pipe(textOf(lengthMax), inOneDirection));

/** The settings of an auth profile that callers may change. */
export const authProfileEntries = {
  type: v.picklist(AUTH_PROFILE_TYPES),
  offNetwork: v.boolean(),
  untrustedGeography: v.boolean(),
  applicationId: nullableText(APPLICATION_ID_LENGTH_MAX),
  applicationName: nullableText(APPLICATION_NAME_LENGTH_MAX),
};

/** Patches of the five settings; removing the application sets it to null. */
export const authProfilePatch = resourcePatch(closedObject(authProfileEntries), {
  type: 'scalar',
  offNetwork: 'scalar',
  untrustedGeography: 'scalar',
  applicationId: 'nullable',
  applicationName: 'nullable',
});

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
