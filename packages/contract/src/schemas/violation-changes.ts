import * as v from 'valibot';
import { JUSTIFICATION_LENGTH_MAX } from '../limits.ts';
import { atMost, closedObject, inOneDirection, optionalName, recordId } from '../validation/fields.ts';
import { issueText } from '../validation/validate.ts';

const comments = v.optional(v.nullable(v.pipe(v.string(), atMost(JUSTIFICATION_LENGTH_MAX), inOneDirection)), null);

const assignee = closedObject({ type: v.literal('IDENTITY'), id: recordId, name: optionalName });

/** Request that gives a violation another owner, in the words of the service or of the SDK of SailPoint. */
export const reassignment = v.pipe(
  closedObject({
    reassignTo: v.exactOptional(assignee),
    assigneeId: v.exactOptional(recordId),
    assigneeType: v.exactOptional(v.literal('IDENTITY')),
    comments,
  }),
  v.check(
    ({ reassignTo, assigneeId }) => reassignTo !== undefined || assigneeId !== undefined,
    issueText('RequiredMissing', 'must have reassignTo, or assigneeId'),
  ),
  v.check(
    ({ reassignTo, assigneeId = reassignTo?.id }) => reassignTo === undefined || reassignTo.id === assigneeId,
    issueText('IllegalValue', 'must name one identity: reassignTo and assigneeId differ'),
  ),
  v.transform(({ reassignTo, assigneeId, comments: given }) => ({
    assigneeId: reassignTo?.id ?? assigneeId ?? '',
    comments: given,
  })),
);

/** Request that applies a control to a violation. */
export const controlApplication = closedObject({
  control: closedObject({ type: v.optional(v.literal('CONTROL'), 'CONTROL'), id: recordId, name: optionalName }),
  comments,
});
