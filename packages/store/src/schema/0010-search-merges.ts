import type { Engine, MigrationStep } from './columns.ts';

// In percent. By default a segment of the index is merged when a tenth of its documents has been replaced, which took nine
// tenths of the time of an import that changes many records. Searches pass over replaced documents.
const REPLACED_MAX = 40;

/** SQLite's search index is merged less often. */
export const searchMerges = (engine: Engine): readonly MigrationStep[] =>
  engine === 'sqlite' ? [`insert into search_code (search_code, rank) values ('deletemerge', ${REPLACED_MAX})`] : [];
