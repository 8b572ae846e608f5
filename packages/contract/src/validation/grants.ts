import { GRANT_TEXT_LENGTH_MAX, GRANTS_MAX, isResourceType, RESOURCE_TYPES } from '@access-admin/domain';
import * as v from 'valibot';
import { atMost, closedObject, inOneDirection, listOfAtMost, reference } from './fields.ts';
import { illegal } from './validate.ts';

const text = v.pipe(reference, atMost(GRANT_TEXT_LENGTH_MAX), inOneDirection);

const grant = closedObject({
  resourceType: v.pipe(
    text,
    v.check(
      (type) => !isResourceType(type),
      illegal(`must not be one of ${RESOURCE_TYPES.join(', ')}: holders cannot be granted these`),
    ),
  ),
  resourceId: text,
  action: text,
});

/** What an entitlement lets its holders do; left out counts as nothing. */
export const optionalGrants = v.exactOptional(listOfAtMost(grant, GRANTS_MAX, 'grants'));
