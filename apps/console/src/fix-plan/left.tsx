import type { UnsolvableViolation } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameOf } from '../service/name-of.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { writeCsv } from '../service/reports/file.ts';
import { UNSOLVABLE_COLUMNS, unsolvableQuery } from '../service/reports/plan.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { SaveButton } from '../ui/save-button.tsx';
import { Cell, type NarrowPlace } from '../ui/tables/cell.tsx';
import { LongTable } from '../ui/tables/long-table.tsx';
import styles from './plan.module.css';
import { FIX_PLAN_TEXTS } from './texts.ts';

const HEADS = ['person', 'policy', 'level', 'reason'] as const;
const NARROW: Readonly<Record<(typeof HEADS)[number], NarrowPlace | undefined>> = {
  person: 'title',
  level: 'mark',
  policy: 'line',
  reason: undefined,
};
const REASONS = ['ROLE_VIOLATES_ITSELF', 'LAST_HOLDER', 'PROTECTED'] as const;

/** The violations that a plan leaves, with what would end them. */
export function Left({ reportId }: { readonly reportId: string }) {
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const unsolvable = useQuery(unsolvableQuery(useApi(), reportId));
  return (
    <Card title={pageText('left')}>
      <Loaded query={unsolvable}>{(found) => <List reportId={reportId} violations={found} />}</Loaded>
    </Card>
  );
}

interface ListProps {
  readonly reportId: string;
  readonly violations: readonly UnsolvableViolation[];
}

function List({ reportId, violations }: ListProps) {
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const items = violations.map((each) => ({ ...each, id: `${each.policyId} ${each.identityId}` }));
  return (
    <>
      <p className={styles['about']}>{pageText('left.about')}</p>
      <dl className={styles['reasons']}>
        {REASONS.map((reason) => ({ reason, count: violations.filter((each) => each.reason === reason).length }))
          .filter(({ count }) => count > 0)
          .map(({ reason, count }) => (
            <div key={reason}>
              <dt>{pageText(reason)}</dt>
              <dd>
                {pageText('left.count', { count })}. {pageText(`${reason}.help`)}
              </dd>
            </div>
          ))}
      </dl>
      <div className={styles['above']}>
        <p>{pageText('left.count', { count: violations.length })}</p>
        <SaveButton
          label={pageText('csv')}
          failed={pageText('save.failed')}
          fileName={`fix-plan-${reportId}-left.csv`}
          type="text/csv"
          write={() => writeCsv(UNSOLVABLE_COLUMNS, [violations])}
        />
      </div>
      <LongTable
        label={pageText('left.table')}
        heads={HEADS.map((head) => ({ label: pageText(head), narrow: NARROW[head] }))}
        items={items}
        total={items.length}
        hasMore={false}
        onEnd={() => {}}
      >
        {(item) => <Cells violation={item} />}
      </LongTable>
    </>
  );
}

function Cells({ violation }: { readonly violation: UnsolvableViolation }) {
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const { identityId, displayName, policyId, policyName, level, reason } = violation;
  const person = nameOf(identityId, displayName);
  return (
    <>
      <Cell narrow={NARROW.person} title={person}>
        <Link to="/people/$id" params={{ id: identityId }}>
          <bdi>{person}</bdi>
        </Link>
      </Cell>
      <Cell narrow={NARROW.policy} title={policyName}>
        <Link to="/policies/$id" params={{ id: policyId }}>
          <bdi>{policyName}</bdi>
        </Link>
      </Cell>
      <Cell narrow={NARROW.level}>
        <LevelBadge level={VIOLATION_LEVELS[level]} />
      </Cell>
      <Cell>{pageText(reason)}</Cell>
    </>
  );
}
