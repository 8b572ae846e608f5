import type { CurrentSession, SodViolation } from '@access-admin/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, type LinkOptions, linkOptions } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { missingFor } from '../service/people/rights.ts';
import { groupFindings } from '../service/policy/list.ts';
import { lintQuery, policyListQuery } from '../service/policy/queries.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { isUnderWay } from '../service/reports/list.ts';
import { reportsQuery } from '../service/reports/queries.ts';
import { sessionQuery } from '../service/session.ts';
import type { ViolationSearch } from '../service/violation-search.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { firstViolationsQuery, type Some, waitingForQuery } from './queries.ts';
import { OVERVIEW_TEXTS } from './texts.ts';
import styles from './work.module.css';

const FirstSteps = lazy(() => import('./first-steps.tsx').then((file) => ({ default: file.FirstSteps })));

const CRITICAL: ViolationSearch = { level: 'Critical', status: 'Open' };
const OVERDUE: ViolationSearch = { status: 'Open', overdue: true, sort: 'created' };

export interface WorkProps {
  /** What stands below. It comes once the work is read, so that nothing moves. */
  readonly children: ReactNode;
}

/** The work of the signed-in person by kind, each with its first items and the next step. A kind without items is left out. */
export function Work({ children }: WorkProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  const session = useQuery(sessionQuery(useApi()));
  if (session.data !== undefined) return <Kinds session={session.data}>{children}</Kinds>;
  return (
    <>
      <Card title={pageText('work')} ways={null}>
        <p role="status" className={styles['place']}>
          {text('state.loading')}
        </p>
      </Card>
      {session.isError && children}
    </>
  );
}

function Kinds({ session, children }: WorkProps & { readonly session: CurrentSession }) {
  const { text, day } = useSpeech();
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  const api = useApi();
  const { identityId } = session;
  const owned: ViolationSearch = { owner: identityId, status: 'Open', sort: '-level' };
  const mayRead = missingFor('register', session, identityId) === null;
  const mayDecide = missingFor('decide', session, identityId) === null;
  const own = useQuery(firstViolationsQuery(api, { ...owned, mine: true }));
  const waiting = useQuery({ ...waitingForQuery(api, identityId), enabled: mayDecide });
  const critical = useQuery({ ...firstViolationsQuery(api, CRITICAL), enabled: mayRead });
  const overdue = useQuery({ ...firstViolationsQuery(api, OVERDUE), enabled: mayRead });
  const findings = useQuery({ ...lintQuery(api), select: (found) => groupFindings(found).size, enabled: mayRead });
  const reports = useQuery({
    ...reportsQuery(api),
    select: (all) => all.filter(isUnderWay).length,
    enabled: mayRead,
  });
  const failed = [own, waiting, critical, overdue, findings, reports].find(({ isError }) => isError);
  // Lint of a large rulebook takes a while: what it finds has a line of its own.
  const isLoading = [own, waiting, critical, overdue].some((each) => each.isLoading);
  // Of those that may be more, not all are read.
  const counts = [own, waiting, critical, overdue].map(({ data }) =>
    data?.isExact === false ? 1 : (data?.count ?? 0),
  );
  const others = [findings.data ?? 0, reports.data ?? 0];
  const violations = [
    { name: 'owned', found: own, search: owned },
    { name: 'critical', found: critical, search: CRITICAL },
    { name: 'overdue', found: overdue, search: OVERDUE },
  ] as const;
  const isNothing = [...counts, ...others].every((count) => count === 0);
  if (isLoading)
    return (
      <Card title={pageText('work')} ways={null}>
        <p role="status" className={styles['place']}>
          {text('state.loading')}
        </p>
      </Card>
    );
  const ways = mayRead && (
    <>
      <Other
        title={pageText('findings', { count: findings.data ?? 0 })}
        count={findings.data ?? 0}
        link={linkOptions({ to: '/policies', search: { finding: 'any' } })}
      />
      <Other
        title={pageText('reports', { count: reports.data ?? 0 })}
        count={reports.data ?? 0}
        link={linkOptions({ to: '/reports', search: { state: 'UNDER_WAY' } })}
      />
    </>
  );
  return (
    <>
      <Card title={pageText('work')} ways={ways}>
        {failed !== undefined && <Failure error={failed.error} onRetry={failed.refetch} />}
        {isNothing && !findings.isLoading && failed === undefined && (
          <Nothing isAdministrator={session.capabilities.includes('ORG_ADMIN')} />
        )}
        <div className={styles['kinds']}>
          <Kind
            title={pageText('work.waiting', { count: waiting.data?.count ?? 0 })}
            found={waiting.data}
            link={linkOptions({ to: '/exceptions' })}
            next={pageText('work.waiting.next')}
          >
            {waiting.data?.items.map(({ id, person, policyName, level, end }) => (
              <li key={id}>
                <Link to="/exceptions" search={{ open: id }} className={styles['subject']}>
                  <bdi>{person}</bdi>: <bdi>{policyName}</bdi>
                </Link>
                {level !== null && <LevelBadge level={VIOLATION_LEVELS[level]} />}
                <span className={styles['when']}>{pageText('until', { day: day(end) })}</span>
              </li>
            ))}
          </Kind>
          {violations.map(({ name, found, search }) => (
            <Kind
              key={name}
              title={pageText(`work.${name}`, { count: found.data?.count ?? 0 })}
              found={found.data}
              link={linkOptions({ to: '/violations', search })}
              next={pageText(`work.${name}.next`, { count: found.data?.count ?? 0 })}
            >
              <Violations violations={found.data?.items} search={search} />
            </Kind>
          ))}
        </div>
      </Card>
      {children}
    </>
  );
}

interface OtherProps {
  readonly title: string;
  readonly count: number;
  readonly link: LinkOptions;
}

function Other({ title, count, link }: OtherProps) {
  const { number } = useSpeech();
  return (
    count > 0 && (
      <Link {...link}>
        {number(count)} {title}
      </Link>
    )
  );
}

/** Says that nothing waits; an administrator of a tenant without policies is told how to begin. */
function Nothing({ isAdministrator }: { readonly isAdministrator: boolean }) {
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  const policies = useInfiniteQuery({ ...policyListQuery(useApi(), {}), enabled: isAdministrator });
  if (isAdministrator && policies.isPending) return null;
  if (policies.data?.pages[0]?.total === 0)
    return (
      <Suspense>
        <FirstSteps />
      </Suspense>
    );
  return (
    <Empty title={pageText('work.none')}>
      <p>{pageText('work.none.text')}</p>
    </Empty>
  );
}

interface KindProps extends Pick<OtherProps, 'title' | 'link'> {
  readonly found: Pick<Some<unknown>, 'count' | 'isExact'> | undefined;
  /** What to do about it, as the link to its list says it. */
  readonly next: string;
  /** The first of them, each an `li`. */
  readonly children: ReactNode;
}

function Kind({ title, found, link, next, children }: KindProps) {
  const { number } = useSpeech();
  // There may be some beyond those that were read.
  if (found === undefined || (found.count === 0 && found.isExact)) return null;
  return (
    <section className={styles['kind']}>
      <h3>
        <Link {...link} className={styles['all']}>
          <span className={styles['title']}>
            <span className={styles['count']}>
              {number(found.count)}
              {!found.isExact && '+'}
            </span>{' '}
            {title}
          </span>{' '}
          <span className={styles['next']}>{next}</span>
        </Link>
      </h3>
      <ul>{children}</ul>
    </section>
  );
}

interface ViolationsProps {
  readonly violations: readonly SodViolation[] | undefined;
  /** A level is shown where they may have several. */
  readonly search: ViolationSearch;
}

function Violations({ violations = [], search }: ViolationsProps) {
  const { day } = useSpeech();
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  return violations.map(({ id, target, policy, level, created }) => (
    <li key={id}>
      <Link to="/violations" search={{ ...search, open: id }} className={styles['subject']}>
        <bdi>{target.name}</bdi>: <bdi>{policy.name}</bdi>
      </Link>
      {search.level === undefined && <LevelBadge level={level} />}
      <span className={styles['when']}>{pageText('since', { day: day(created) })}</span>
    </li>
  ));
}
