import type { AuthUser } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { PersonProps } from '../service/people/props.ts';
import { authProfileOfQuery, authUserQuery } from '../service/people/queries.ts';
import { missingFor, strongerThan } from '../service/people/rights.ts';
import { signInsOf } from '../service/people/sign-ins.ts';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import styles from './card.module.css';
import { Credentials } from './credentials.tsx';
import { WAY_IN_TEXTS } from './texts.ts';

const SignInLinkForm = lazy(() => import('./link.tsx').then((file) => ({ default: file.SignInLinkForm })));

/** The sign-in of a person: credentials, locks and links. */
export function SignIn({ person, me }: PersonProps) {
  const pageText = usePageTexts(WAY_IN_TEXTS);
  return (
    <Card title={pageText('title')} missing={missingFor('authUser', me, person.id)}>
      <Content person={person} me={me} />
    </Card>
  );
}

function Content({ person, me }: PersonProps) {
  const missing = missingFor('credentials', me, person.id);
  return (
    <Loaded query={useQuery(authUserQuery(useApi(), person.id))}>
      {({ value: user }) => (
        <>
          <Facts {...{ user, person, me }} />
          {missing === null ? (
            <Managed capabilities={user.capabilities} {...{ person, me }} />
          ) : (
            <MissingRight needed={missing} />
          )}
        </>
      )}
    </Loaded>
  );
}

/** The auth profile that applies, and when the person signed in. */
function Facts({ user, person, me }: PersonProps & { readonly user: AuthUser }) {
  const { moment } = useSpeech();
  const pageText = usePageTexts(WAY_IN_TEXTS);
  const mayRead = missingFor('profiles', me, person.id) === null;
  const profile = useQuery({ ...authProfileOfQuery(useApi(), user.profile), enabled: mayRead });
  const [latest, before] = signInsOf(user);
  const at = (time: number | string) => moment(new Date(time).toISOString());
  return (
    <dl className={styles['facts']}>
      <dt>{pageText('profile')}</dt>
      <dd>
        {mayRead ? (
          <Link to="/settings/auth-profiles" search={{ profile: user.profile }} dir="auto">
            {person.identityProfile.name}
          </Link>
        ) : (
          <bdi>{person.identityProfile.name}</bdi>
        )}
        {profile.data !== undefined && <span className={styles['muted']}>{pageText(profile.data.type)}</span>}
      </dd>
      <dt>{pageText('latest')}</dt>
      <dd>{latest === undefined ? pageText('never') : at(latest)}</dd>
      {before !== undefined && (
        <>
          <dt>{pageText('before')}</dt>
          <dd>{at(before)}</dd>
        </>
      )}
      {user.lastUnlockTimestamp !== null && (
        <>
          <dt>{pageText('unlocked')}</dt>
          <dd>{at(user.lastUnlockTimestamp)}</dd>
        </>
      )}
    </dl>
  );
}

/** What an administrator sees and changes, unless it is their own or that of a person with more rights. */
function Managed({ capabilities, person, me }: PersonProps & Pick<AuthUser, 'capabilities'>) {
  const pageText = usePageTexts(WAY_IN_TEXTS);
  const stronger = strongerThan(capabilities, me);
  const isOwn = person.id === me.identityId;
  const mayChange = !isOwn && stronger === null;
  return (
    <>
      <Credentials person={person} mayChange={mayChange} />
      {isOwn && (
        <p className={styles['note']}>
          {pageText('own')} <a href="/account">{pageText('own.link')}</a>
        </p>
      )}
      {!isOwn && stronger !== null && (
        <p className={styles['note']}>{pageText('stronger', { capability: stronger })}</p>
      )}
      {mayChange && (
        <Suspense>
          <SignInLinkForm person={person} />
        </Suspense>
      )}
    </>
  );
}
