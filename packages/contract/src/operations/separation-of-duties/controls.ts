import { SMALL_BODY_BYTES_MAX } from '../../limits.ts';
import { CONTROL_FILTERS, control, controlFields, controls } from '../../schemas/controls.ts';
import { defaults, jsonBody, jsonResponse, NO_CONTENT, type Operation, patchBody } from '../definition.ts';

const group = 'Controls';
const path = '/controls/v1/{id}';

/** The operations on compensating controls. */
export const CONTROL_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'list-controls-v1',
    method: 'GET',
    path: '/controls/v1',
    group,
    summary: 'List of compensating controls',
    response: jsonResponse(controls),
    list: true,
    filters: CONTROL_FILTERS,
  },
  {
    ...defaults,
    id: 'create-control-v1',
    method: 'POST',
    path: '/controls/v1',
    group,
    summary: 'Create a compensating control, which can be applied to violations',
    body: jsonBody(controlFields, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(control, 201),
    errorStatuses: [409],
  },
  {
    ...defaults,
    id: 'get-control-v1',
    method: 'GET',
    path,
    group,
    summary: 'One compensating control',
    response: jsonResponse(control),
    etag: true,
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'put-control-v1',
    method: 'PUT',
    path,
    group,
    summary: 'Replace a compensating control',
    body: jsonBody(controlFields, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(control),
    etag: true,
    errorStatuses: [404, 412],
  },
  {
    ...defaults,
    id: 'patch-control-v1',
    method: 'PATCH',
    path,
    group,
    summary: 'Change a compensating control',
    body: patchBody,
    response: jsonResponse(control),
    etag: true,
    errorStatuses: [404, 409, 412],
  },
  {
    ...defaults,
    id: 'delete-control-v1',
    method: 'DELETE',
    path,
    group,
    summary: 'Delete a compensating control that is not applied',
    response: NO_CONTENT,
    etag: true,
    errorStatuses: [404, 409, 412],
  },
];
