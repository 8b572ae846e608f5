import { LOAD_MODES, LOAD_REFUSALS, LOAD_STATES, type Load } from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject, timestamp, wholeNumber } from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { illegal } from '../validation/validate.ts';
import { accessModelRecords } from './access-model.ts';
import { accountEntries } from './sources.ts';

const accountOfLoad = v.strictObject({ kind: v.literal('account'), ...accountEntries });

const loadAccount = requestSchema(
  'LoadAccountRecord',
  v.pipe(
    accountOfLoad,
    v.transform((account: v.InferOutput<typeof accountOfLoad>) => ({ ...account, name: account.name ?? account.id })),
  ),
);

/** A line of a part of a load. An account without a name has its id as its name. */
export const loadRecord = requestSchema(
  'LoadRecord',
  v.variant('kind', [
    accessModelRecords.entitlement,
    accessModelRecords.accessProfile,
    accessModelRecords.role,
    loadAccount,
  ]),
);

/** Request that opens a load. */
export const newLoad = requestSchema(
  'CreateSourceLoadRequest',
  closedObject({ mode: v.picklist(LOAD_MODES), dryRun: v.optional(v.boolean(), false) }),
);

/** Request that commits a load. */
export const loadCommit = requestSchema(
  'CommitSourceLoadRequest',
  closedObject({
    confirmDeletes: v.exactOptional(
      v.pipe(
        v.number(),
        v.integer(illegal('must be a whole number')),
        v.minValue(0, illegal('must not be negative')),
        v.maxValue(2 ** 31 - 1, illegal('is greater than any number of accounts')),
      ),
    ),
  }),
);

const summary = closedObject({
  accounts: closedObject({
    created: wholeNumber,
    updated: wholeNumber,
    deleted: wholeNumber,
    unchanged: wholeNumber,
  }),
  correlated: closedObject({
    byRule: wholeNumber,
    byHand: wholeNumber,
    ambiguous: wholeNumber,
    none: wholeNumber,
  }),
  identities: closedObject({ created: wholeNumber, updated: wholeNumber }),
  access: closedObject({ added: wholeNumber, removed: wholeNumber }),
  disabled: wholeNumber,
  catalogue: closedObject({ created: wholeNumber, updated: wholeNumber }),
  faults: v.array(closedObject({ part: wholeNumber, line: wholeNumber, text: v.string() })),
  faultCount: wholeNumber,
  violations: v.exactOptional(closedObject({ opened: wholeNumber, ended: wholeNumber })),
});

const shownLoad = closedObject({
  loadId: v.string(),
  source: v.string(),
  mode: v.picklist(LOAD_MODES),
  dryRun: v.boolean(),
  state: v.picklist(LOAD_STATES),
  reason: v.nullable(v.picklist(LOAD_REFUSALS)),
  deletes: v.nullable(wholeNumber),
  message: v.nullable(v.string()),
  created: timestamp,
  committed: v.nullable(timestamp),
  completed: v.nullable(timestamp),
  expires: v.nullable(timestamp),
  summary: v.nullable(summary),
});

/** Response of the operations on one load, and the data of `access-model.loaded`. */
export const load = responseSchema<Load>('SourceLoad')(shownLoad);

/** Response of the list of loads. */
export const loads = responseSchema<readonly Load[]>()(v.array(shownLoad));
