import { type AuthUser, CAPABILITIES, CAPABILITIES_MAX, knownTextRule } from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject } from '../../validation/fields.ts';
import { responseSchema } from '../../validation/response-schema.ts';
import { issueText } from '../../validation/validate.ts';

const text = v.nullable(v.string());
const timestamp = v.nullable(v.pipe(v.string(), v.isoTimestamp()));
const millis = v.nullable(v.pipe(v.number(), v.integer()));

/** Known capability names without repetitions. */
export const capabilities = v.pipe(
  v.array(v.unknown()),
  v.maxLength(CAPABILITIES_MAX, issueText('LimitExceeded', `must have at most ${CAPABILITIES_MAX} capabilities`)),
  v.array(v.picklist(CAPABILITIES, ({ input }) => issueText('IllegalValue', knownTextRule(CAPABILITIES, input)))),
  v.check((names) => new Set(names).size === names.length, issueText('IllegalValue', 'must not repeat a capability')),
);

/** Response of the auth user operations. */
export const authUser = responseSchema<AuthUser>()(
  closedObject({
    tenant: v.string(),
    id: v.string(),
    uid: v.string(),
    profile: v.string(),
    displayName: text,
    alias: text,
    firstname: text,
    lastname: text,
    email: text,
    personalEmail: text,
    phone: text,
    workPhone: text,
    identificationNumber: text,
    lastPasswordChangeDate: timestamp,
    lastLoginTimestamp: millis,
    currentLoginTimestamp: millis,
    lastUnlockTimestamp: timestamp,
    capabilities: v.array(v.picklist(CAPABILITIES)),
  }),
);
