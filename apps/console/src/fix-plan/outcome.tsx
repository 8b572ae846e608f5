import type { FixStep, SodReport } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { stepStateQuery } from '../service/reports/plan.ts';
import { LevelBadge, StatusBadge } from '../ui/badge.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Mark } from '../ui/mark.tsx';
import { useSecond } from '../ui/use-second.ts';
import styles from './plan.module.css';
import { TONES } from './rows.tsx';
import { FIX_PLAN_TEXTS } from './texts.ts';

export interface OutcomeProps {
  readonly report: SodReport;
  readonly step: FixStep;
}

/** Whether the violations that a step ends are gone, by the register. */
export function Outcome({ report, step }: OutcomeProps) {
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const second = useSecond();
  const count = step.ends.length;
  return (
    <Loaded query={useQuery(stepStateQuery(useApi(), report, step))}>
      {({ state, left, asOf }) => {
        const time = asOf === null ? '' : second(asOf);
        return (
          <div className={styles['outcome']}>
            <p>
              <Mark tone={TONES[state]}>{pageText(state)}</Mark>{' '}
              {state === 'GONE' && pageText('GONE.text', { count, time })}
              {state === 'PRESENT' && pageText('PRESENT.text', { left: left.length, count, time })}
              {state === 'LATE' && pageText(asOf === null ? 'LATE.none' : 'LATE.text', { time })}
            </p>
            {state === 'PRESENT' && (
              <ul className={styles['items']}>
                {left.map(({ id, target, policy, level, status }) => (
                  <li key={id}>
                    <LevelBadge level={level} /> {status !== 'Open' && <StatusBadge status={status} />}{' '}
                    <Link to="/violations" search={{ target: target.id, open: id }}>
                      <bdi>{policy.name}</bdi>
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}
