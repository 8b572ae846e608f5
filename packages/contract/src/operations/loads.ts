import { LOAD_PARTS_MAX, type OperationRights } from '@access-admin/domain';
import * as v from 'valibot';
import { parseLoadPart } from '../bodies/load-lines.ts';
import { IMPORT_BODY_BYTES_MAX, SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { load, loadCommit, loadRecord, loads, newLoad } from '../schemas/loads.ts';
import {
  defineOperation,
  jsonBody,
  jsonResponse,
  linesBody,
  NO_CONTENT,
  optionalJsonBody,
} from './define-operation.ts';
import { pathId, pathNumber } from './path-parameters.ts';

const group = 'Sources';

const RIGHTS = {
  READ: { scopes: ['access-model:read', 'access-model:manage'], capabilities: ['ORG_ADMIN'], resource: 'SOURCE' },
  MANAGE: { scopes: ['access-model:manage'], capabilities: ['ORG_ADMIN'], resource: 'SOURCE' },
} as const satisfies Readonly<Record<string, OperationRights>>;

const LOAD = { loadId: pathId('The id of the load.') };
const partNumber = v.pipe(
  pathNumber(LOAD_PARTS_MAX, `must be the number of a part, from 1 to ${LOAD_PARTS_MAX}`),
  v.description('The number of the part. Another text in the form of an id is answered with 400.'),
);

/** The operations on loads of a source. */
export const LOADS = {
  create: defineOperation({
    id: 'create-source-load-v1',
    method: 'POST',
    path: '/sources/v1/{id}/loads',
    group,
    summary: 'Open a load of a source',
    description:
      'Opens a load, which takes parts until it is committed, for 24 hours at most. A `FULL` load has all accounts of the source, and deletes those that it lacks; a `DELTA` load has those that are new or have changed. A dry run tells what the load would do, the numbers of violations that it would open and end among it, and changes nothing. A source has one load at a time that is open or runs (409).',
    rights: RIGHTS.MANAGE,
    body: jsonBody(newLoad, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(load, 201),
    errors: [404, 409],
  }),
  putPart: defineOperation({
    id: 'put-source-load-part-v1',
    method: 'PUT',
    path: '/sources/v1/{id}/loads/{loadId}/parts/{n}',
    params: { ...LOAD, n: partNumber },
    group,
    summary: 'Send a part of a load',
    description:
      'Stores a part of an open load, in place of an earlier one with the same number, from 1 to 1000. The body has one record a line (NDJSON): an `account` without its source, an `entitlement`, an `accessProfile` or a `role`. Of all parts together an account may be in one line alone. Lines that are no such record refuse the load when it is committed, and its summary names them.',
    rights: RIGHTS.MANAGE,
    body: linesBody({ schema: loadRecord, bytesMax: IMPORT_BODY_BYTES_MAX, parse: parseLoadPart }),
    keepsBody: true,
    response: NO_CONTENT,
    errors: [404, 409],
  }),
  commit: defineOperation({
    id: 'commit-source-load-v1',
    method: 'POST',
    path: '/sources/v1/{id}/loads/{loadId}/commit',
    params: LOAD,
    group,
    summary: 'Apply a load',
    description:
      'Has a worker apply the load. It examines all records first: a bad one refuses the load (`REFUSED`, reason `FAULTS`) before anything changes. So does a load that would delete more accounts, or take all access from more, than `deleteThresholdPercent` of the accounts of the source, and more than 10 (reason `DELETES_ABOVE_THRESHOLD`): it can be committed again, for 24 hours or until another load is opened, with `confirmDeletes` equal to its `deletes`. Then the worker applies the catalogue and the accounts, and deletes those that a `FULL` load lacks, piece by piece: what is applied stays where a worker ends, and another one goes on from there.',
    rights: RIGHTS.MANAGE,
    body: optionalJsonBody(loadCommit, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(load, 202),
    errors: [404, 409],
  }),
  list: defineOperation({
    id: 'list-source-loads-v1',
    method: 'GET',
    path: '/sources/v1/{id}/loads',
    group,
    summary: 'List of loads of a source',
    description: 'Lists the loads of a source, the latest first. Of those that have ended the latest 100 are kept.',
    rights: RIGHTS.READ,
    list: true,
    response: jsonResponse(loads),
    errors: [404],
  }),
  get: defineOperation({
    id: 'get-source-load-v1',
    method: 'GET',
    path: '/sources/v1/{id}/loads/{loadId}',
    params: LOAD,
    group,
    summary: 'One load',
    description:
      'Returns one load. While it runs, its summary tells what it has changed so far; `message` tells why one has ended in `ERROR`.',
    rights: RIGHTS.READ,
    response: jsonResponse(load),
    errors: [404],
  }),
  cancel: defineOperation({
    id: 'cancel-source-load-v1',
    method: 'DELETE',
    path: '/sources/v1/{id}/loads/{loadId}',
    params: LOAD,
    group,
    summary: 'Cancel a load',
    description: 'Removes an open load with its parts. One that is committed cannot be cancelled (409).',
    rights: RIGHTS.MANAGE,
    response: NO_CONTENT,
    errors: [404, 409],
  }),
};
