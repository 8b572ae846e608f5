import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { authProfileQuery, authProfilesQuery } from '../../service/settings/queries.ts';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Beside } from '../beside.tsx';
import columns from '../columns.module.css';
import { Records } from '../records.tsx';
import { useMissing } from '../use-missing.ts';
import { Editor } from './editor.tsx';
import styles from './page.module.css';
import { Reading } from './reading.tsx';
import { AUTH_PROFILE_TEXTS } from './texts.ts';

const Simulator = lazy(() => import('./simulator.tsx').then((file) => ({ default: file.Simulator })));

/** How the people of each identity profile sign in, and what a sign-in would do. */
export function AuthProfilesSection() {
  const pageText = usePageTexts(AUTH_PROFILE_TEXTS);
  const { profile, ...search } = useSearch({ from: '/settings/auth-profiles' });
  const missing = useMissing();
  return (
    <>
      <Beside
        isChosen={profile !== undefined}
        list={
          <Card title={pageText('profiles')} missing={missing('profiles')}>
            <p className={columns['note']}>{pageText('profiles.text')}</p>
            <Profiles />
          </Card>
        }
        back={
          <Link to="/settings/auth-profiles" search={search}>
            {pageText('all')}
          </Link>
        }
      >
        {profile === undefined ? (
          <Card title={pageText('profile')}>
            <p className={columns['note']}>{pageText('choose')}</p>
          </Card>
        ) : (
          <Chosen key={profile} id={profile} />
        )}
      </Beside>
      <Suspense>{missing('simulator') === null && <Simulator />}</Suspense>
    </>
  );
}

function Profiles() {
  const pageText = usePageTexts(AUTH_PROFILE_TEXTS);
  const search = useSearch({ from: '/settings/auth-profiles' });
  const profiles = useQuery(authProfilesQuery(useApi()));
  return (
    <Records found={profiles} none={{ title: pageText('none'), text: pageText('none.text') }}>
      {({ id, name, type }) => (
        <Link
          to="/settings/auth-profiles"
          search={{ ...search, profile: id }}
          resetScroll={false}
          aria-current={search.profile === id ? 'true' : undefined}
        >
          <span dir="auto" className={columns['name']}>
            {name}
          </span>
          <span className={type === 'BLOCK' ? styles['blocked'] : styles['type']}>{pageText(type)}</span>
        </Link>
      )}
    </Records>
  );
}

function Chosen({ id }: { readonly id: string }) {
  const pageText = usePageTexts(AUTH_PROFILE_TEXTS);
  const missing = useMissing();
  const profile = useQuery(authProfileQuery(useApi(), id));
  return (
    <Card title={profile.data?.value.name ?? pageText('profile')}>
      {profile.isError && <Failure error={profile.error} onRetry={profile.refetch} />}
      {profile.data !== undefined &&
        (missing('configure') === null ? <Editor profile={profile.data} /> : <Reading profile={profile.data.value} />)}
    </Card>
  );
}
