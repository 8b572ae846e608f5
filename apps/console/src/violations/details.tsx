import type { SodViolation } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { useSpeech } from '../languages/context.tsx';
import { LevelBadge, StatusBadge } from '../parts/badge.tsx';
import { Reason } from '../why/reason.tsx';
import styles from './details.module.css';

/** The facts of a violation, why it is one, and what ends it. */
export function Details({ violation }: { readonly violation: SodViolation }) {
  const { text, moment } = useSpeech();
  const { target, policy, level, status, owner, created, closed, exception } = violation;
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
      </dl>
      {exception !== null && <p>{text('violation.covered', { time: moment(exception.end) })}</p>}
      {closed === null ? (
        <Reason violation={violation} heading="h2" />
      ) : (
        <p>{text('violation.ended', { time: moment(closed) })}</p>
      )}
    </>
  );
}
