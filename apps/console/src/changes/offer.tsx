import type { CurrentSession, SodException, SodViolation } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { liveExceptionQuery } from '../service/exceptions/queries.ts';
import { NEEDED } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { Failure } from '../ui/failure.tsx';
import { Actions } from '../ui/forms/actions.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import { useControl } from './control.tsx';
import { useExceptionRequest } from './exception.tsx';
import styles from './offer.module.css';
import { useReassignment } from './owner.tsx';
import { rightsOn } from './rights.ts';
import { CHANGE_TEXTS } from './texts.ts';

const CONCERNS = ['violations', 'exceptions'];

/** What can be done about a present violation: request an exception, apply a control, give it another owner. */
export function Changes({ violation }: { readonly violation: SodViolation }) {
  const session = useQuery(sessionQuery(useApi()));
  if (session.data === undefined) return null;
  const { except, mayReassign } = rightsOn(violation, session.data);
  return (
    <section className={styles['changes']}>
      {except === 'NO' && <MissingRight needed={NEEDED.decide} />}
      {(except !== 'NO' || mayReassign) && <Offer violation={violation} me={session.data} />}
    </section>
  );
}

interface OfferProps {
  readonly violation: SodViolation;
  readonly me: CurrentSession;
}

function Offer({ violation, me }: OfferProps) {
  const pageText = usePageTexts(CHANGE_TEXTS);
  const { except, mayLookUp } = rightsOn(violation, me);
  const live = useQuery({ ...liveExceptionQuery(useApi(), violation), enabled: except !== 'NO' });
  const exception = useExceptionRequest(violation);
  const control = useControl(violation);
  const owner = useReassignment(violation, mayLookUp);
  const mayExcept = except === 'YES' && live.data == null;
  return (
    <>
      {except === 'OWN' && <p className={styles['note']}>{pageText('own')}</p>}
      {live.isError && <Failure error={live.error} onRetry={live.refetch} />}
      {live.data != null && <Live exception={live.data} person={violation.target.id} />}
      <Actions concerns={CONCERNS} actions={mayExcept ? [exception, control, owner] : [owner]} />
    </>
  );
}

interface LiveProps {
  readonly exception: SodException;
  /** The id of the person of the violation. */
  readonly person: string;
}

/** The exception that there is, because of which another one cannot be requested. */
function Live({ exception: { state, start, end }, person }: LiveProps) {
  const { day } = useSpeech();
  const pageText = usePageTexts(CHANGE_TEXTS);
  const isWaiting = state === 'REQUESTED';
  return (
    <p className={styles['note']}>
      {pageText(isWaiting ? 'waiting' : 'approved', { start: day(start), end: day(end) })} {pageText('only-one')}{' '}
      <Link to="/exceptions" search={{ state: isWaiting ? 'REQUESTED' : 'APPROVED', person }}>
        {pageText('exception.see')}
      </Link>
    </p>
  );
}
