import { failure } from '@access-admin/domain';
import type { StoredReport } from '@access-admin/store';

export const NO_REPORT = failure('NotFound', '', 'There is no such report.');

/** The refusal of what a report has only once it is done. */
export const notThere = ({ state }: Pick<StoredReport, 'state'>) =>
  failure(
    'Conflict',
    '',
    state === 'ERROR'
      ? 'The report ended in ERROR without a result: start another one.'
      : 'The report is not done: read it until its state is SUCCESS.',
  );
