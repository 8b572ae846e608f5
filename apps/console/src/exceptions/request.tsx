import { type ExceptionTerms, PreconditionFailedError, type SodViolation } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HistoryLink } from '../history/link.tsx';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { conflictQuery, exceptionsOfPersonQuery, type NamedException } from '../service/exceptions/queries.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { sessionQuery } from '../service/session.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { Reason } from '../why/reason.tsx';
import { type Comment, Decision, obstacleOf } from './decision.tsx';
import styles from './request.module.css';
import { Terms } from './terms.tsx';
import { EXCEPTION_TEXTS } from './texts.ts';
import { useSeenExceptions } from './use-seen-exceptions.ts';

const DAY_MS = 86_400_000;

export interface RequestProps {
  readonly exception: NamedException;
  readonly onDone: (said: string) => void;
}

/** A request with the conflict in full, and the decision on it. */
export function Request({ exception, onDone }: RequestProps) {
  const { day } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const api = useApi();
  const session = useQuery(sessionQuery(api));
  const conflict = useQuery(conflictQuery(api, exception));
  const { exceptions, read, lookAgain } = useSeenExceptions([exception.id]);
  const { seen = null, isChanged = false, error = null } = exceptions[0] ?? {};
  const { id, requester, person, policyName: policy } = exception;
  const end = day(exception.end);
  const approve = async (comment: Comment) => {
    try {
      await api.sodExceptions.approve(id, { ifMatch: seen?.etag ?? '', ...comment });
    } catch (refusal) {
      if (refusal instanceof PreconditionFailedError) read();
      throw refusal;
    }
    return pageText('approve.done', { person, policy, end });
  };
  const refuse = async (comment: Comment) => {
    await api.sodExceptions.revoke(id, comment);
    return pageText('refuse.done', { person });
  };
  return (
    <Card title={pageText('asks', { requester, person, policy })}>
      <Facts exception={exception} violation={conflict.data ?? null} terms={seen?.value.terms ?? null} />
      {error !== null && <Failure error={error} onRetry={read} />}
      {conflict.isError && <Failure error={conflict.error} onRetry={conflict.refetch} />}
      {conflict.data === null && <p className={styles['warning']}>{pageText('gone')}</p>}
      {conflict.isPending && <div className={styles['waiting']} />}
      {conflict.data != null && <Reason violation={conflict.data} heading="h3" isRequest />}
      <Others exception={exception} />
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
      <Decision
        obstacle={obstacleOf(exception, session.data)}
        approveLabel={pageText('approve')}
        refuseLabel={pageText('refuse')}
        canApprove={seen !== null}
        canRefuse
        approve={approve}
        refuse={refuse}
        onDone={onDone}
      >
        <p dir="auto">{pageText('approve.text', { end })}</p>
      </Decision>
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
  const { id, start, end, requester, created, justification, level } = exception;
  const control = violation?.appliedControls.find(({ exceptionId }) => exceptionId === id);
  const count = Math.ceil((Date.parse(end) - Date.parse(start)) / DAY_MS);
  return (
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
          </Link>{' '}
          {level !== null && <LevelBadge level={VIOLATION_LEVELS[level]} />}
        </dd>
      </div>
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
      <div>
        <dt>{pageText('terms')}</dt>
        <dd className={styles['terms']}>{terms !== null && <Terms terms={terms} />}</dd>
      </div>
      {control !== undefined && (
        <div>
          <dt>{pageText('control')}</dt>
          <dd dir="auto">{control.control.name}</dd>
        </div>
      )}
    </dl>
  );
}

function Others({ exception: { id, identityId } }: { readonly exception: NamedException }) {
  const { text, day } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const all = useQuery(exceptionsOfPersonQuery(useApi(), identityId));
  if (all.isError) return <Failure error={all.error} onRetry={all.refetch} />;
  const others = all.data?.filter((other) => other.id !== id);
  return (
    <section className={styles['others']}>
      <h3>{pageText('others')}</h3>
      {others === undefined && <p>{text('state.loading')}</p>}
      {others?.length === 0 && <p>{pageText('others.none')}</p>}
      <ul>
        {others?.map(({ id: other, policyName, state, start, end }) => (
          <li key={other}>
            <bdi>{policyName}</bdi>: {pageText(`state.${state}`)}, {day(start)} – {day(end)}
          </li>
        ))}
      </ul>
      <HistoryLink type="SOD_EXCEPTION" id={id} />
    </section>
  );
}
