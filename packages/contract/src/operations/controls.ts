import type { OperationRights } from '@access-admin/domain';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { CONTROL_FILTERS, control, controlFields, controlPatch, controls } from '../schemas/controls.ts';
import { defineOperation, jsonBody, jsonResponse, NO_CONTENT, patchBody } from './define-operation.ts';

const group = 'Controls';

const READ: OperationRights = {
  scopes: ['sod-policies:read', 'sod-policies:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN', 'das:ui-auditor'],
  resource: 'CONTROL',
};
const MANAGE: OperationRights = {
  scopes: ['sod-policies:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'],
  resource: 'CONTROL',
};

/** The operations on compensating controls. */
export const CONTROLS = {
  list: defineOperation({
    id: 'list-controls-v1',
    method: 'GET',
    path: '/controls/v1',
    group,
    summary: 'List of compensating controls',
    description: 'Lists the compensating controls of the tenant, with the present names of their owners.',
    rights: READ,
    list: true,
    filters: CONTROL_FILTERS,
    response: jsonResponse(controls),
  }),
  create: defineOperation({
    id: 'create-control-v1',
    method: 'POST',
    path: '/controls/v1',
    group,
    summary: 'Create a compensating control, which can be applied to violations',
    description:
      'Creates a compensating control: a measure, such as a second signature, by which a violation may last for a limited time. Without an `id` the service makes one. Its owners must exist.',
    rights: MANAGE,
    body: jsonBody(controlFields, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(control, 201),
    errors: [409],
  }),
  get: defineOperation({
    id: 'get-control-v1',
    method: 'GET',
    path: '/controls/v1/{id}',
    group,
    summary: 'One compensating control',
    description: 'Returns one compensating control.',
    rights: READ,
    response: jsonResponse(control),
    errors: [404],
    etag: true,
  }),
  put: defineOperation({
    id: 'put-control-v1',
    method: 'PUT',
    path: '/controls/v1/{id}',
    group,
    summary: 'Replace a compensating control',
    description:
      'Replaces a compensating control as a whole; properties that are left out get their defaults. Applications of it keep their end.',
    rights: MANAGE,
    body: jsonBody(controlFields, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(control),
    errors: [404, 412],
    etag: true,
  }),
  patch: defineOperation({
    id: 'patch-control-v1',
    method: 'PATCH',
    path: '/controls/v1/{id}',
    group,
    summary: 'Change a compensating control',
    description:
      'Changes a compensating control by a JSON Patch (RFC 6902). `id`, `type`, `created` and `modified` cannot be changed.',
    rights: MANAGE,
    body: patchBody(controlPatch.parse),
    response: jsonResponse(control),
    errors: [404, 409, 412],
    etag: true,
  }),
  delete: defineOperation({
    id: 'delete-control-v1',
    method: 'DELETE',
    path: '/controls/v1/{id}',
    group,
    summary: 'Delete a compensating control that is not applied',
    description:
      'Deletes a compensating control. While it is applied to a violation, or an SOD policy allows it, the answer is 409.',
    rights: MANAGE,
    response: NO_CONTENT,
    errors: [404, 409, 412],
    etag: true,
  }),
} as const;
