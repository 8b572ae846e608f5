import type { SodReport, SodReportChange, SodReportViolation } from '@access-admin/client';
import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import type { Difference } from '../service/reports/difference.ts';
import { REPORT_CHANGES } from '../service/reports/search.ts';
import { Drawer } from '../ui/dialogs/drawer.tsx';
import { Failure } from '../ui/failure.tsx';
import { Progress } from '../ui/progress.tsx';
import { LongTable } from '../ui/tables/long-table.tsx';
import { Details } from './details.tsx';
import styles from './page.module.css';
import { Cells, NARROW } from './rows.tsx';
import { REPORT_TEXTS } from './texts.ts';
import { useComparison } from './use-comparison.ts';

export interface DifferenceViewProps {
  readonly report: SodReport;
  /** The id of the earlier report. */
  readonly since: string;
}

/** What is different between a report and an earlier one, found in this browser. */
export function DifferenceView({ report: { reportId, kind }, since }: DifferenceViewProps) {
  const pageText = usePageTexts(REPORT_TEXTS);
  const { comparison, start, stop } = useComparison(since, reportId);
  return (
    <>
      <p className={styles['about']}>{pageText('compare.about')}</p>
      <div role="status" className={styles['comparison']}>
        {comparison.state === 'running' && (
          <>
            <Progress
              label={pageText('comparing', { count: comparison.lines, total: comparison.total })}
              value={comparison.total === 0 ? null : Math.min(1, comparison.lines / comparison.total)}
            />
            <button type="button" className="button" onClick={stop}>
              {pageText('compare.stop')}
            </button>
          </>
        )}
        {comparison.state === 'stopped' && (
          <>
            <p>{pageText('compare.stopped')}</p>
            <button type="button" className="button" onClick={start}>
              {pageText('compare.again')}
            </button>
          </>
        )}
        {comparison.state === 'done' && <Counts difference={comparison.difference} />}
      </div>
      {comparison.state === 'failed' && (
        <Failure error={comparison.error} title={pageText('compare.failed')} onRetry={start} />
      )}
      {comparison.state === 'done' && <Lists difference={comparison.difference} hasChange={kind !== 'SCAN'} />}
    </>
  );
}

const SIGNS: Readonly<Record<SodReportChange, string>> = { new: '+', gone: '−', same: '=' };

function Counts({ difference: { counts } }: { readonly difference: Difference }) {
  const pageText = usePageTexts(REPORT_TEXTS);
  return (
    <ul className={styles['counts']}>
      {REPORT_CHANGES.map((change) => (
        <li key={change} className={styles[change]}>
          <span aria-hidden="true">{SIGNS[change]}</span> {pageText(`difference.${change}`, { count: counts[change] })}
        </li>
      ))}
    </ul>
  );
}

interface ListsProps {
  readonly difference: Difference;
  readonly hasChange: boolean;
}

function Lists({ difference: { counts, first }, hasChange }: ListsProps) {
  const pageText = usePageTexts(REPORT_TEXTS);
  const [open, setOpen] = useState<SodReportViolation | null>(null);
  const heads = (['person', 'policy', 'level', 'change', 'conflict', 'exception'] as const).filter(
    (head) => head !== 'change' || hasChange,
  );
  return (
    <>
      {REPORT_CHANGES.filter((change) => counts[change] > 0).map((change) => (
        <details key={change} open={change !== 'same'} className={styles['group']}>
          <summary>
            <h3>{pageText(`difference.${change}`, { count: counts[change] })}</h3>
          </summary>
          {counts[change] > first[change].length && (
            <p className={styles['about']}>{pageText('difference.first', { count: first[change].length })}</p>
          )}
          <LongTable
            label={pageText(`difference.${change}`, { count: counts[change] })}
            heads={heads.map((head) => ({ label: pageText(head), narrow: NARROW[head] }))}
            items={first[change].map((line) => ({ id: JSON.stringify([line.policyId, line.identityId]), line }))}
            total={first[change].length}
            hasMore={false}
            onEnd={() => {}}
          >
            {({ line }) => <Cells line={line} hasChange={hasChange} onShow={() => setOpen(line)} />}
          </LongTable>
        </details>
      ))}
      <Drawer isOpen={open !== null} title={open?.policyName ?? ''} onClose={() => setOpen(null)}>
        {open !== null && <Details line={open} />}
      </Drawer>
    </>
  );
}
