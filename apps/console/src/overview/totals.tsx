import type { ViolationSummary } from '@access-admin/client';
import type { KeyOf } from '@access-admin/languages';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkOptions, linkOptions } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { exceptionCountQuery } from '../service/exceptions/queries.ts';
import type { ExceptionSearch } from '../service/exceptions/search.ts';
import { groupFindings } from '../service/policy/list.ts';
import { lintQuery } from '../service/policy/queries.ts';
import { isUnderWay } from '../service/reports/list.ts';
import { reportsQuery } from '../service/reports/queries.ts';
import { Failure } from '../ui/failure.tsx';
import { OVERVIEW_TEXTS } from './texts.ts';
import styles from './totals.module.css';

const WAITING: ExceptionSearch = { state: 'REQUESTED' };
const ENDING: ExceptionSearch = { state: 'APPROVED', ending: true };

/** What there is to do, as numbers. Each leads to the list that it counts. */
export function Totals({ summary }: { readonly summary: Pick<ViolationSummary, 'open' | 'mitigated'> }) {
  const api = useApi();
  const waiting = useQuery(exceptionCountQuery(api, WAITING));
  const ending = useQuery(exceptionCountQuery(api, ENDING));
  const findings = useQuery({ ...lintQuery(api), select: (found) => groupFindings(found).size });
  const reports = useQuery({ ...reportsQuery(api), select: (all) => all.filter(isUnderWay).length });
  const failed = [waiting, ending, findings, reports].find(({ isError }) => isError);
  return (
    <>
      {failed !== undefined && <Failure error={failed.error} onRetry={failed.refetch} />}
      <ul className={styles['totals']}>
        <Total name="open" count={summary.open} link={linkOptions({ to: '/violations', search: { status: 'Open' } })} />
        <Total
          name="mitigated"
          count={summary.mitigated}
          link={linkOptions({ to: '/violations', search: { status: 'Mitigated' } })}
        />
        <Total
          name="exceptions.waiting"
          count={waiting.data}
          link={linkOptions({ to: '/exceptions', search: WAITING })}
        />
        <Total name="exceptions.ending" count={ending.data} link={linkOptions({ to: '/exceptions', search: ENDING })} />
        <Total
          name="findings"
          count={findings.data}
          link={linkOptions({ to: '/policies', search: { finding: 'any' } })}
        />
        <Total
          name="reports"
          count={reports.data}
          link={linkOptions({ to: '/reports', search: { state: 'UNDER_WAY' } })}
        />
      </ul>
    </>
  );
}

interface TotalProps {
  readonly name: KeyOf<typeof OVERVIEW_TEXTS>;
  /** Undefined where it is not known. */
  readonly count: number | undefined;
  readonly link: LinkOptions;
}

function Total({ name, count, link }: TotalProps) {
  const { number } = useSpeech();
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  return (
    <li>
      <Link {...link} className={styles['total']}>
        <span className={styles['number']}>{count === undefined ? '–' : number(count)}</span>{' '}
        <span>{pageText(name)}</span>
      </Link>
    </li>
  );
}
