import type { ExceptionTerms, SodViolation } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { conflictQuery, exceptionsOfPersonQuery, type NamedException } from '../service/exceptions/queries.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { Reason } from '../why/reason.tsx';
import { Decision } from './decision.tsx';
import styles from './page.module.css';
import { Terms } from './terms.tsx';
import { EXCEPTION_TEXTS } from './texts.ts';
import { useSeenException } from './use-seen-exception.ts';

const DAY_MS = 86_400_000;

export interface RequestProps {
  readonly exception: NamedException;
  readonly onDone: (said: string) => void;
}

/** A request with the conflict in full, and the decision on it. */
export function Request({ exception, onDone }: RequestProps) {
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const conflict = useQuery(conflictQuery(useApi(), exception));
  const { seen, isChanged, error, read, lookAgain } = useSeenException(exception.id);
  const { requester, person, policyName: policy } = exception;
  return (
    <Card title={pageText('asks', { requester, person, policy })}>
      <Facts exception={exception} violation={conflict.data ?? null} terms={seen?.value.terms ?? null} />
      {error !== null && <Failure error={error} onRetry={read} />}
      {conflict.isError && <Failure error={conflict.error} onRetry={conflict.refetch} />}
      {conflict.data === null && <p className={styles['warning']}>{pageText('gone')}</p>}
      {conflict.data != null && <Reason violation={conflict.data} heading="h3" isRequest />}
      {isChanged && (
        <div className={styles['warning']} role="alert">
          <p>{pageText('changed')}</p>
          <p>
            <button type="button" className="button" onClick={lookAgain}>
              {pageText('changed.look')}
            </button>
          </p>
        </div>
      )}
      <Decision exception={exception} etag={seen?.etag ?? null} onOutdated={read} onDone={onDone} />
    </Card>
  );
}

interface FactsProps {
  readonly exception: NamedException;
  readonly violation: SodViolation | null;
  readonly terms: ExceptionTerms | null;
}

function Facts({ exception, violation, terms }: FactsProps) {
  const { text, day, moment } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const { id, start, end, requester, created, justification } = exception;
  const control = violation?.appliedControls.find(({ exceptionId }) => exceptionId === id);
  const count = Math.ceil((Date.parse(end) - Date.parse(start)) / DAY_MS);
  return (
    <>
      <p className={styles['level']}>{violation !== null && <LevelBadge level={violation.level} />}</p>
      <dl className={styles['facts']}>
        <div className={styles['given']}>
          <dt>{pageText('reason')}</dt>
          <dd dir="auto">{justification}</dd>
        </div>
        <div>
          <dt>{text('violations.person')}</dt>
          <dd dir="auto">
            <Link to="/people/$id" params={{ id: exception.identityId }}>
              {exception.person}
            </Link>
          </dd>
        </div>
        <div>
          <dt>{text('violations.policy')}</dt>
          <dd dir="auto">
            <Link to="/policies/$id" params={{ id: exception.policyId }}>
              {exception.policyName}
            </Link>
          </dd>
        </div>
        {terms !== null && (
          <div>
            <dt>{pageText('terms')}</dt>
            <dd>
              <Terms terms={terms} />
            </dd>
          </div>
        )}
        <div>
          <dt>{pageText('window')}</dt>
          <dd>{pageText('window.text', { start: day(start), end: day(end), count })}</dd>
        </div>
        <div>
          <dt>{pageText('requester')}</dt>
          <dd>
            <bdi>{requester}</bdi>, {moment(created)}
          </dd>
        </div>
        {control !== undefined && (
          <div>
            <dt>{pageText('control')}</dt>
            <dd dir="auto">{control.control.name}</dd>
          </div>
        )}
        <div>
          <dt>{pageText('others')}</dt>
          <dd>
            <Others exception={exception} />
          </dd>
        </div>
      </dl>
    </>
  );
}

function Others({ exception: { id, identityId } }: { readonly exception: NamedException }) {
  const { text, day } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const all = useQuery(exceptionsOfPersonQuery(useApi(), identityId));
  if (all.isError) return <Failure error={all.error} onRetry={all.refetch} />;
  if (all.data === undefined) return text('state.loading');
  const others = all.data.filter((other) => other.id !== id);
  if (others.length === 0) return pageText('others.none');
  return (
    <ul className={styles['others']}>
      {others.map(({ id: other, policyName, state, start, end }) => (
        <li key={other}>
          <bdi>{policyName}</bdi>: {pageText(`state.${state}`)}, {day(start)} – {day(end)}
        </li>
      ))}
    </ul>
  );
}
