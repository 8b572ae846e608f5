import {
  type AccessRef,
  type AccessType,
  type ImportBase,
  type ImportPlan,
  KIND_OF_ACCESS,
  keysOf,
} from '@access-admin/domain';
import type { RulebookChange } from '../policies/rulebook/change-log.ts';

interface Decided {
  readonly plan: Pick<ImportPlan, 'upserts' | 'deletes'>;
  readonly stored: Pick<ImportBase['stored'], CatalogueKind>;
}

type CatalogueKind = (typeof KIND_OF_ACCESS)[AccessType];

const TYPES: readonly AccessType[] = keysOf(KIND_OF_ACCESS);

/** What an import changes of the rulebook. A record that it deletes is held by no identity. */
export function rulebookChangeOf({ plan: { upserts, deletes }, stored }: Decided): RulebookChange {
  const isEmptyOf = (kind: CatalogueKind) => upserts[kind].length + deletes[kind].length === 0;
  const policies = [...upserts.sodPolicy.map(({ id }) => id), ...deletes.sodPolicy];
  if (TYPES.every((type) => isEmptyOf(KIND_OF_ACCESS[type]))) return { policies, access: null };
  const access = TYPES.flatMap((type): readonly AccessRef[] => {
    const kind = KIND_OF_ACCESS[type];
    const before: ReadonlyMap<string, Parts> = stored[kind];
    const records: readonly Parts[] = upserts[kind];
    return records.flatMap((record) => (isAlike(kind, record, before.get(record.id)) ? [] : { type, id: record.id }));
  });
  return { policies, access };
}

/** The parts of a record on which violations depend. */
interface Parts {
  readonly id: string;
  readonly name: string;
  readonly entitlements?: readonly string[];
  readonly accessProfiles?: readonly string[];
}

/** Whether two records of a kind have the same part in violations. Only entitlements are shown by name. */
function isAlike(kind: CatalogueKind, record: Parts, before: Parts | undefined): boolean {
  const partsOf = ({ name, entitlements, accessProfiles }: Parts) =>
    kind === 'entitlement' ? name : JSON.stringify([entitlements, accessProfiles]);
  return before !== undefined && partsOf(record) === partsOf(before);
}
