import {
  AUTH_PROFILE_TYPES,
  DRY_RUN_SAMPLE_MAX,
  isCountry,
  parseAddress,
  SIGN_IN_OUTCOMES,
  SIGN_IN_REASONS,
  type SignInDecision,
  type SignInDryRun,
} from '@access-admin/domain';
import * as v from 'valibot';
import { NAME_LENGTH_MAX } from '../../limits.ts';
import { atMost, closedObject, optionalInstant, recordId } from '../../validation/fields.ts';
import { responseSchema } from '../../validation/response-schema.ts';
import { issueText } from '../../validation/validate.ts';

/** An IPv4 or IPv6 address. */
export const ipAddress = v.pipe(
  v.string(),
  v.nonEmpty(issueText('RequiredMissing', 'must not be empty')),
  v.check((text) => parseAddress(text) !== null, issueText('IllegalValue', 'must be an IPv4 or IPv6 address')),
);

const country = v.pipe(
  v.string(),
  v.check(isCountry, issueText('IllegalValue', 'must be a country as two capital letters, such as CH')),
);

/** Request that asks what a sign-in would do. */
export const signInQuestion = v.pipe(
  closedObject({
    identityId: v.exactOptional(recordId),
    username: v.exactOptional(
      v.pipe(v.string(), v.nonEmpty(issueText('RequiredMissing', 'must not be empty')), atMost(NAME_LENGTH_MAX)),
    ),
    ip: ipAddress,
    country: v.optional(v.nullable(country), null),
    at: optionalInstant,
  }),
  v.check(
    ({ identityId, username }) => identityId !== undefined || username !== undefined,
    issueText('RequiredMissing', 'must have identityId or username'),
  ),
  v.check(
    ({ identityId, username }) => identityId === undefined || username === undefined,
    issueText('MalformedBody', 'must have identityId or username, not both'),
  ),
);

/** Response of the decision on a sign-in. */
export const signInDecision = responseSchema<SignInDecision>()(
  closedObject({
    decision: v.picklist(SIGN_IN_OUTCOMES),
    reasons: v.array(v.picklist(SIGN_IN_REASONS)),
    authProfile: v.nullable(closedObject({ id: v.string(), name: v.string(), type: v.picklist(AUTH_PROFILE_TYPES) })),
    verifiedBy: v.nullable(v.picklist(['PASSWORD', 'APPLICATION'])),
  }),
);

const outcome = v.picklist(SIGN_IN_OUTCOMES);

/** Response of a dry-run of a change on which sign-ins depend. */
export const signInDryRun = responseSchema<SignInDryRun>()(
  closedObject({
    identities: v.number(),
    newlyBlocked: v.number(),
    newlySecondFactor: v.number(),
    withoutFactor: v.number(),
    sample: v.pipe(
      v.array(
        closedObject({
          identityId: v.string(),
          displayName: v.nullable(v.string()),
          before: outcome,
          after: outcome,
        }),
      ),
      v.metadata({ maxItems: DRY_RUN_SAMPLE_MAX }),
    ),
    wouldBeRefused: v.boolean(),
  }),
);
