import { NotFoundError } from '@access-admin/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Capabilities } from '../capabilities/card.tsx';
import { HistoryLink } from '../history/link.tsx';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameOf } from '../service/name-of.ts';
import type { PersonProps } from '../service/people/props.ts';
import {
  accessTreeQuery,
  authUserQuery,
  conflictsOfQuery,
  exceptionsOfQuery,
  personQuery,
  reservationsOfQuery,
  violationsOfQuery,
} from '../service/people/queries.ts';
import { missingFor } from '../service/people/rights.ts';
import { missingRight, type Right } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { accountsOfQuery } from '../service/sources/queries.ts';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { Mark } from '../ui/mark.tsx';
import { Access } from './access.tsx';
import { Exceptions } from './exceptions.tsx';
import styles from './page.module.css';
import { Possible } from './possible.tsx';
import { PERSON_TEXTS } from './texts.ts';
import { Violations } from './violations.tsx';

const Accounts = lazy(() => import('./accounts.tsx').then((file) => ({ default: file.Accounts })));
const Pending = lazy(() => import('./pending.tsx').then((file) => ({ default: file.Pending })));
const SignIn = lazy(() => import('../ways-in/sign-in.tsx').then((file) => ({ default: file.SignIn })));
const Sessions = lazy(() => import('../ways-in/sessions.tsx').then((file) => ({ default: file.Sessions })));

/** One person: what they hold, what is wrong with it, what they may administer, and how they sign in. */
export function PersonPage() {
  const { text } = useSpeech();
  const api = useApi();
  const { id } = useParams({ from: '/people/$id' });
  const person = useQuery(personQuery(api, id));
  const session = useQuery(sessionQuery(api));
  if (person.error instanceof NotFoundError) return <UnknownPerson />;
  const failed = [person, session].find(({ isError }) => isError);
  const failure = failed !== undefined && <Failure error={failed.error} onRetry={failed.refetch} />;
  if (person.data === undefined || session.data === undefined)
    return (
      <>
        <Heading title={nameOf(id, person.data?.displayName)}>
          <p role="status">{failed === undefined && text('state.loading')}</p>
        </Heading>
        {failure}
      </>
    );
  // What was typed or is shown only once stays where the latest version cannot be read.
  return (
    <>
      {failure}
      <Content key={id} person={person.data} me={session.data} />
    </>
  );
}

function Content({ person, me }: PersonProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(PERSON_TEXTS);
  const isRead = useIsRead({ person, me });
  // Cards that are shown stay: without a card, what was typed in it would be lost.
  const [isShown, show] = useState(isRead);
  if (isRead && !isShown) show(true);
  const { id, displayName, uid, email, identityProfile, active } = person;
  return (
    <>
      <Heading
        title={nameOf(id, displayName)}
        back={missingRight('people', me) === null ? <Link to="/people">{pageText('unknown.list')}</Link> : undefined}
        ways={
          <>
            <HistoryLink id={id} />
            {missingRight('what-if', me) === null && (
              <Link to="/what-if" search={{ person: id }} className="button" title={pageText('what-if.hint')}>
                {pageText('what-if')}
              </Link>
            )}
          </>
        }
      >
        <p className={styles['about']}>
          <bdi>{uid}</bdi>
          {email !== null && <bdi>{email}</bdi>}
          <bdi>{identityProfile.name}</bdi>
          {!active && <Mark tone="critical">{pageText('inactive')}</Mark>}
        </p>
      </Heading>
      {isShown ? <Cards person={person} me={me} /> : <p role="status">{text('state.loading')}</p>}
    </>
  );
}

/** Whether each read that decides the height of a card has ended, also by a failure. Cards that are shown one by one would move each other. */
function useIsRead({ person, me }: PersonProps): boolean {
  const api = useApi();
  const { id, assignments } = person;
  const isAllowed = (right: Right) => missingFor(right, me, id) === null;
  const canReadRegister = isAllowed('register');
  return useQueries({
    queries: [
      { ...violationsOfQuery(api, id, true), enabled: canReadRegister },
      { ...violationsOfQuery(api, id, false), enabled: canReadRegister },
      { ...accessTreeQuery(api, person), enabled: assignments.length > 0 },
      { ...conflictsOfQuery(api, id), enabled: assignments.length > 0 && canReadRegister },
      { ...accountsOfQuery(api, id), enabled: isAllowed('sources') },
      { ...exceptionsOfQuery(api, id), enabled: isAllowed('exceptions') },
      { ...reservationsOfQuery(api, id), enabled: isAllowed('what-if') },
      { ...authUserQuery(api, id), enabled: isAllowed('authUser') },
    ],
    combine: (results) => !results.some(({ isLoading }) => isLoading),
  });
}

function Cards({ person, me }: PersonProps) {
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>
        <Violations person={person} me={me} />
        <Access person={person} me={me} />
        <Suspense>
          {missingFor('sources', me, person.id) === null && <Accounts person={person} />}
          <Sessions person={person} me={me} />
        </Suspense>
      </div>
      <div className={styles['column']}>
        <Possible person={person} me={me} />
        <Exceptions person={person} me={me} />
        <Capabilities person={person} me={me} />
        <Suspense>
          <SignIn person={person} me={me} />
          {missingFor('what-if', me, person.id) === null && <Pending person={person} />}
        </Suspense>
      </div>
    </div>
  );
}

function UnknownPerson() {
  const pageText = usePageTexts(PERSON_TEXTS);
  return (
    <>
      <Heading title={pageText('unknown')}>
        <p>{pageText('unknown.text')}</p>
      </Heading>
      <p>
        <Link to="/people">{pageText('unknown.list')}</Link>
      </p>
    </>
  );
}
