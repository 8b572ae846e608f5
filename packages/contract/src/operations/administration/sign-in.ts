import { SMALL_BODY_BYTES_MAX } from '../../limits.ts';
import { signInDecision, signInQuestion } from '../../schemas/administration/sign-in-decision.ts';
import { defaults, jsonBody, jsonResponse, type Operation } from '../definition.ts';

/** The operations on signing in. */
export const SIGN_IN_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'decide-sign-in-v1',
    method: 'POST',
    path: '/sign-in/v1/decision',
    group: 'Sign-in',
    summary: 'What signing in would do, without signing in',
    body: jsonBody(signInQuestion, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(signInDecision),
    errorStatuses: [404],
  },
];
