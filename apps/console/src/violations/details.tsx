import type { SodViolation } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { LevelBadge, StatusBadge } from '../ui/badge.tsx';
import { Reason } from '../why/reason.tsx';
import { Controls } from './controls.tsx';
import styles from './details.module.css';

const Changes = lazy(() => import('../changes/offer.tsx').then((file) => ({ default: file.Changes })));

/** The facts of a violation, why it is one, and what ends it. */
export function Details({ violation }: { readonly violation: SodViolation }) {
  const { text, moment } = useSpeech();
  const { target, policy, level, status, owner, created, closed, exception, appliedControls } = violation;
  return (
    <>
      <p className={styles['badges']}>
        <LevelBadge level={level} />
        <StatusBadge status={status} />
      </p>
      <dl className={styles['facts']}>
        <dt>{text('violations.person')}</dt>
        <dd dir="auto">
          <Link to="/people/$id" params={{ id: target.id }}>
            {target.name}
          </Link>
        </dd>
        <dt>{text('violations.policy')}</dt>
        <dd dir="auto">
          <Link to="/policies/$id" params={{ id: policy.id }}>
            {policy.name}
          </Link>
        </dd>
        <dt>{text('violations.created')}</dt>
        <dd>{moment(created)}</dd>
        <dt>{text('violations.owner')}</dt>
        <dd dir="auto">{owner?.name ?? text('state.none')}</dd>
        <Controls applied={appliedControls} />
      </dl>
      {exception !== null && <p>{text('violation.covered', { time: moment(exception.end) })}</p>}
      {closed === null ? (
        <>
          <Suspense fallback={<p className={styles['waiting']}>{text('state.loading')}</p>}>
            <Changes violation={violation} />
          </Suspense>
          <Reason violation={violation} heading="h2" />
        </>
      ) : (
        <p>{text('violation.ended', { time: moment(closed) })}</p>
      )}
    </>
  );
}
