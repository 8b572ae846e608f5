import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { checksQuery, LISTED_MAX, type NamedCheck } from '../../service/reports/checks.ts';
import type { ReportsSearch } from '../../service/reports/search.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Mark } from '../../ui/mark.tsx';
import tableStyles from '../../ui/tables/table.module.css';
import { useSecond } from '../../ui/use-second.ts';
import { CHECK_PLACE } from './check.tsx';
import styles from './section.module.css';
import { CHECKS_TEXTS } from './texts.ts';

const HEADS = ['person', 'state', 'created', 'id'] as const;

/** The latest checks. */
export function Latest({ search }: { readonly search: ReportsSearch }) {
  const pageText = usePageTexts(CHECKS_TEXTS);
  const { text } = useSpeech();
  const checks = useQuery(checksQuery(useApi()));
  return (
    <>
      <h3 className={styles['subtitle']}>{pageText('latest')}</h3>
      <Loaded query={checks}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={pageText('none')}>
              <p>{pageText('none.text')}</p>
              <Link to="/what-if" className="button">
                {text('nav.what-if')}
              </Link>
            </Empty>
          ) : (
            <>
              <p className={styles['about']}>{pageText('latest.about', { count: LISTED_MAX })}</p>
              <table aria-label={pageText('latest')} className={`${tableStyles['table']} ${tableStyles['stacked']}`}>
                <thead>
                  <tr>
                    {HEADS.map((head) => (
                      <th key={head} scope="col">
                        {pageText(head)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {found.map((check) => (
                    <Row key={check.requestId} check={check} search={search} />
                  ))}
                </tbody>
              </table>
            </>
          )
        }
      </Loaded>
    </>
  );
}

interface RowProps {
  readonly check: NamedCheck;
  /** What the page shows; its choice of reports stays when a check is chosen. */
  readonly search: ReportsSearch;
}

function Row({ check: { requestId, identityId, person, created, state }, search }: RowProps) {
  const pageText = usePageTexts(CHECKS_TEXTS);
  const second = useSecond();
  const isShown = requestId === search.check;
  return (
    <tr className={isShown ? styles['shown'] : undefined}>
      <th scope="row" className={tableStyles['name']}>
        <Link to="/people/$id" params={{ id: identityId }}>
          <bdi>{person}</bdi>
        </Link>
      </th>
      <td className={`${tableStyles['mark']} ${tableStyles['whole']}`}>
        {state === 'SUCCESS' ? (
          pageText(state)
        ) : (
          <Mark tone={state === 'ERROR' ? 'critical' : 'accent'}>{pageText(state)}</Mark>
        )}
      </td>
      <td className={styles['date']} data-label={pageText('created')}>
        {second(created)}
      </td>
      <td className={styles['id']}>
        <Link
          to="/reports"
          search={{ ...search, check: requestId }}
          hash={CHECK_PLACE}
          aria-current={isShown ? 'true' : undefined}
        >
          <code>{requestId}</code>
        </Link>
      </td>
    </tr>
  );
}
