import * as v from 'valibot';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { exceptionMove, newSodException, SOD_EXCEPTION_FILTERS, sodException } from '../schemas/sod-exceptions.ts';
import { answer, json, type Operation, plain } from './definition.ts';

const group = 'SOD Exceptions';

/** The operations on exceptions from SOD policies. */
export const SOD_EXCEPTION_OPERATIONS: readonly Operation[] = [
  {
    ...plain,
    id: 'list-sod-exceptions-v1',
    method: 'GET',
    path: '/sod-exceptions/v1',
    group,
    summary: 'List of exceptions from SOD policies',
    answer: answer(v.array(sodException)),
    list: true,
    filters: SOD_EXCEPTION_FILTERS,
  },
  {
    ...plain,
    id: 'create-sod-exception-v1',
    method: 'POST',
    path: '/sod-exceptions/v1',
    group,
    summary: 'Ask for an exception: that an identity may violate an SOD policy for a while',
    body: json(newSodException, SMALL_BODY_BYTES_MAX),
    answer: answer(sodException, 201),
    refusals: [409],
  },
  {
    ...plain,
    id: 'get-sod-exception-v1',
    method: 'GET',
    path: '/sod-exceptions/v1/{id}',
    group,
    summary: 'One exception',
    answer: answer(sodException),
    etag: true,
    refusals: [404],
  },
  {
    ...plain,
    id: 'approve-sod-exception-v1',
    method: 'POST',
    path: '/sod-exceptions/v1/{id}/approve',
    group,
    summary: 'Approve an exception that somebody else has asked for',
    body: json(exceptionMove, SMALL_BODY_BYTES_MAX),
    answer: answer(sodException),
    etag: true,
    refusals: [404, 409, 412],
  },
  {
    ...plain,
    id: 'revoke-sod-exception-v1',
    method: 'POST',
    path: '/sod-exceptions/v1/{id}/revoke',
    group,
    summary: 'Take back an exception, or a request for one',
    body: json(exceptionMove, SMALL_BODY_BYTES_MAX),
    answer: answer(sodException),
    etag: true,
    refusals: [404, 409, 412],
  },
];
