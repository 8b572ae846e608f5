import { EVALUATE } from '@access-admin/domain';
import { parseStrictJson } from '../bodies/strict-json.ts';
import { SOD_BODY_BYTES_MAX } from '../limits.ts';
import {
  accessDecision,
  accessDecisions,
  actionSearch,
  evaluationRequest,
  evaluationsRequest,
  foundActions,
  foundEntities,
  parseEvaluations,
  resourceSearch,
  subjectSearch,
} from '../schemas/authzen.ts';
import { eitherResponse } from '../validation/named-schema.ts';
import { defineOperation, jsonBody, jsonResponse } from './define-operation.ts';

const SHARED = { group: 'AuthZEN', rights: EVALUATE, isAuthzen: true, hasNoEffect: true } as const;

/** The operations of the AuthZEN Authorization API 1.0. */
export const AUTHZEN = {
  evaluate: defineOperation({
    ...SHARED,
    id: 'evaluate-access-v1',
    method: 'POST',
    path: '/access/v1/evaluation',
    summary: 'Whether a subject may do something with a resource',
    description:
      'Decides on one question of AuthZEN. Subjects are of type `identity` (by id) or `user` (by `uid`). `request` of an entitlement, a role, an access profile or an access request asks whether it would violate a policy, `hold` whether the subject has it now, `use` of a capability whether the subject has that. Other actions and resources are those that `grants` of entitlements name. What does not exist is a decision, too.',
    body: jsonBody(evaluationRequest, SOD_BODY_BYTES_MAX),
    response: jsonResponse(accessDecision),
  }),
  evaluateMany: defineOperation({
    ...SHARED,
    id: 'evaluate-accesses-v1',
    method: 'POST',
    path: '/access/v1/evaluations',
    summary: 'Decisions on up to 1,000 questions',
    description:
      'Decides on many questions of AuthZEN, in their order. What an item of `evaluations` leaves out is that of the whole request. `options.evaluations_semantic` is `execute_all`, `deny_on_first_deny` or `permit_on_first_permit`, which end with the first such decision. Without `evaluations` it answers as a single evaluation.',
    body: {
      ...jsonBody(evaluationsRequest, SOD_BODY_BYTES_MAX),
      parse: (text) => {
        const json = parseStrictJson(text);
        return json.ok ? parseEvaluations(json.value) : json;
      },
    },
    response: jsonResponse(eitherResponse(accessDecisions, accessDecision)),
  }),
  searchSubjects: defineOperation({
    ...SHARED,
    id: 'search-access-subjects-v1',
    method: 'POST',
    path: '/access/v1/search/subject',
    summary: 'The subjects that may do something with a resource',
    description:
      'Finds the subjects of a type for whom an evaluation would be true, in order of their ids. A page ends early where it would take long; `page.next_token` is empty at the end.',
    body: jsonBody(subjectSearch, SOD_BODY_BYTES_MAX),
    response: jsonResponse(foundEntities),
  }),
  searchResources: defineOperation({
    ...SHARED,
    id: 'search-access-resources-v1',
    method: 'POST',
    path: '/access/v1/search/resource',
    summary: 'The resources with which a subject may do something',
    description:
      'Finds the resources of a type for which an evaluation would be true, in order of their ids. There are none of type `access_request`.',
    body: jsonBody(resourceSearch, SOD_BODY_BYTES_MAX),
    response: jsonResponse(foundEntities),
  }),
  searchActions: defineOperation({
    ...SHARED,
    id: 'search-access-actions-v1',
    method: 'POST',
    path: '/access/v1/search/action',
    summary: 'What a subject may do with a resource',
    description: 'Finds the actions for which an evaluation would be true, by name.',
    body: jsonBody(actionSearch, SOD_BODY_BYTES_MAX),
    response: jsonResponse(foundActions),
  }),
} as const;
