import { NotFoundError, type SodCheck, type SodCheckResult, type ViolationContext } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { VIOLATION_LEVELS } from '../../service/policy/terms.ts';
import { itemsOf } from '../../service/policy/trial.ts';
import { checkQuery, checksQuery } from '../../service/reports/checks.ts';
import { LevelBadge } from '../../ui/badge.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Progress } from '../../ui/progress.tsx';
import { SaveButton } from '../../ui/save-button.tsx';
import styles from './section.module.css';
import { CHECKS_TEXTS } from './texts.ts';

/** The place of a check in the page: links to a check lead to it. */
export const CHECK_PLACE = 'check';

/** How many contexts of a check are shown. */
const SHOWN_MAX = 100;

/** One check: its state, and what it has found. */
export function Check({ requestId }: { readonly requestId: string }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(CHECKS_TEXTS);
  const check = useQuery(checkQuery(useApi(), requestId));
  if (check.isError)
    return check.error instanceof NotFoundError ? (
      <p role="status">{pageText('unknown', { id: requestId })}</p>
    ) : (
      <Failure error={check.error} onRetry={check.refetch} />
    );
  if (check.data === undefined) return <p role="status">{text('state.loading')}</p>;
  return <Shown check={check.data} />;
}

function Shown({ check }: { readonly check: SodCheck }) {
  const pageText = usePageTexts(CHECKS_TEXTS);
  const { moment } = useSpeech();
  const api = useApi();
  // A check itself does not say whose it is.
  const listed = useQuery(checksQuery(api)).data?.find((each) => each.requestId === check.requestId);
  const { requestId, created, state, completed, violationCheckResult: result } = check;
  return (
    <section className={styles['check']} aria-label={pageText('check', { id: requestId })}>
      <div role="status">
        {completed === null ? (
          <Progress label={pageText('PENDING')} value={null} />
        ) : (
          <Mark tone={state === 'ERROR' ? 'critical' : 'plain'}>{pageText(state)}</Mark>
        )}
      </div>
      <dl className={styles['facts']}>
        {listed !== undefined && (
          <>
            <dt>{pageText('person')}</dt>
            <dd dir="auto">
              <Link to="/people/$id" params={{ id: listed.identityId }}>
                {listed.person}
              </Link>
            </dd>
          </>
        )}
        <dt>{pageText('created')}</dt>
        <dd>{moment(created)}</dd>
        {completed !== null && (
          <>
            <dt>{pageText('completed')}</dt>
            <dd>{moment(completed)}</dd>
          </>
        )}
        {Object.entries(result?.clientMetadata ?? {}).map(([key, value]) => (
          <Metadata key={key} name={key} value={value} />
        ))}
      </dl>
      {result !== null && <Verdict result={result} />}
      {state === 'SUCCESS' && (
        <p>
          <SaveButton
            label={pageText('receipt')}
            failed={pageText('receipt.failed')}
            fileName={`receipt-${requestId}.jws`}
            type="application/jose"
            write={async function* (signal) {
              yield await api.sodViolations.receipt(requestId, { signal });
            }}
          />
        </p>
      )}
    </section>
  );
}

function Metadata({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt dir="auto">{name}</dt>
      <dd dir="auto">{value}</dd>
    </>
  );
}

function Verdict({ result: { message, violationContexts, violationCount } }: { readonly result: SodCheckResult }) {
  const pageText = usePageTexts(CHECKS_TEXTS);
  const shown = violationContexts.slice(0, SHOWN_MAX);
  if (message !== null) return <p dir="auto">{message}</p>;
  return (
    <>
      <p className={violationCount === 0 ? styles['good'] : styles['bad']}>
        {pageText('violations', { count: violationCount })}
      </p>
      {shown.length > 0 && (
        <ul className={styles['contexts']}>
          {shown.map((context) => (
            <Context key={context.policy.id} context={context} />
          ))}
        </ul>
      )}
      {violationCount > shown.length && <p>{pageText('first', { count: shown.length })}</p>}
    </>
  );
}

function Context({ context }: { readonly context: ViolationContext }) {
  const pageText = usePageTexts(CHECKS_TEXTS);
  const { list, day } = useSpeech();
  const { policy, preexisting, exception, exceptionEnds } = context;
  return (
    <li>
      <p className={styles['policy']}>
        <Link to="/policies/$id" params={{ id: policy.id }} dir="auto">
          {policy.name}
        </Link>
        <LevelBadge level={VIOLATION_LEVELS[policy.level]} />
        <span className={styles['muted']}>{pageText(preexisting ? 'deepens' : 'new')}</span>
      </p>
      <p dir="auto">
        {itemsOf(context)
          .filter((items) => items.length > 0)
          .map((items) => list(items))
          .join(' × ')}
      </p>
      {exception != null && <p className={styles['muted']}>{pageText('covered', { day: day(exception.end) })}</p>}
      {exception === null && exceptionEnds === undefined && (
        <p className={styles['muted']}>{pageText('covered.not')}</p>
      )}
      {exceptionEnds !== undefined && (
        <p className={styles['muted']}>{pageText('covered.part', { day: day(exceptionEnds) })}</p>
      )}
    </li>
  );
}
