import { SMALL_BODY_BYTES_MAX } from '../../limits.ts';
import {
  exceptionTransition,
  newSodException,
  SOD_EXCEPTION_FILTERS,
  sodException,
  sodExceptions,
} from '../../schemas/sod-exceptions.ts';
import { defaults, jsonBody, jsonResponse, type Operation, optionalJsonBody } from '../definition.ts';

const group = 'SOD Exceptions';

/** The operations on exceptions from SOD policies. */
export const SOD_EXCEPTION_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'list-sod-exceptions-v1',
    method: 'GET',
    path: '/sod-exceptions/v1',
    group,
    summary: 'List of exceptions from SOD policies',
    response: jsonResponse(sodExceptions),
    list: true,
    filters: SOD_EXCEPTION_FILTERS,
  },
  {
    ...defaults,
    id: 'create-sod-exception-v1',
    method: 'POST',
    path: '/sod-exceptions/v1',
    group,
    summary: 'Request an exception, by which an identity may violate an SOD policy for a limited time',
    body: jsonBody(newSodException, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(sodException, 201),
    errorStatuses: [409],
  },
  {
    ...defaults,
    id: 'get-sod-exception-v1',
    method: 'GET',
    path: '/sod-exceptions/v1/{id}',
    group,
    summary: 'One exception',
    response: jsonResponse(sodException),
    etag: true,
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'approve-sod-exception-v1',
    method: 'POST',
    path: '/sod-exceptions/v1/{id}/approve',
    group,
    summary: 'Approve an exception that another identity has requested',
    body: optionalJsonBody(exceptionTransition, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(sodException),
    etag: true,
    errorStatuses: [404, 409, 412, 428],
  },
  {
    ...defaults,
    id: 'revoke-sod-exception-v1',
    method: 'POST',
    path: '/sod-exceptions/v1/{id}/revoke',
    group,
    summary: 'Take back an exception, or a request for one',
    body: optionalJsonBody(exceptionTransition, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(sodException),
    etag: true,
    errorStatuses: [404, 409, 412],
  },
];
