import type { SodReport } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useKind } from '../reports/outcome/use-kind.ts';
import { useApi } from '../service/api.tsx';
import { comparableWith } from '../service/reports/list.ts';
import { reportsQuery } from '../service/reports/queries.ts';
import { Failure } from '../ui/failure.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { useSecond } from '../ui/use-second.ts';
import styles from './page.module.css';
import { REPORT_TEXTS } from './texts.ts';

// Most reports are compared with none.
const DifferenceView = lazy(() => import('./difference-view.tsx').then((file) => ({ default: file.DifferenceView })));

export interface ComparedProps {
  readonly report: SodReport;
  /** The id of the report that it is compared with. */
  readonly since: string | undefined;
}

/** The choice of an earlier report, and what is different from it. */
export function Compared({ report, since }: ComparedProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(REPORT_TEXTS);
  const kindOf = useKind();
  const second = useSecond();
  const navigate = useNavigate({ from: '/reports/$id' });
  const reports = useQuery(reportsQuery(useApi()));
  if (reports.isError) return <Failure error={reports.error} onRetry={reports.refetch} />;
  if (reports.data === undefined) return <p>{text('state.loading')}</p>;
  const earlier = comparableWith(reports.data, report).map((each) => ({
    value: each.reportId,
    label: pageText('compare.at', { kind: kindOf(each), time: second(each.created) }),
  }));
  const isUnknown = since !== undefined && earlier.every(({ value }) => value !== since);
  if (earlier.length === 0 && since === undefined) return <p className={styles['about']}>{pageText('compare.none')}</p>;
  return (
    <>
      <div className={styles['choice']}>
        <SelectField
          label={pageText('compare')}
          value={since ?? ''}
          options={[
            { value: '', label: pageText('compare.nothing') },
            ...earlier,
            ...(isUnknown ? [{ value: since, label: pageText('compare.unknown', { id: since }) }] : []),
          ]}
          onChange={(chosen) => navigate({ search: chosen === '' ? {} : { since: chosen } })}
        />
      </div>
      {since !== undefined && (
        <Suspense fallback={<p role="status">{text('state.loading')}</p>}>
          <DifferenceView key={since} report={report} since={since} />
        </Suspense>
      )}
    </>
  );
}
