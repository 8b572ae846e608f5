import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { authProfileQuery, authProfilesQuery } from '../../service/settings/queries.ts';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/failure.tsx';
import columns from '../columns.module.css';
import { Records } from '../records.tsx';
import { Editor } from './editor.tsx';
import styles from './page.module.css';
import { Simulator } from './simulator.tsx';
import { AUTH_PROFILE_TEXTS } from './texts.ts';

/** How the people of each identity profile sign in, and what a sign-in would do. */
export function AuthProfilesSection() {
  const pageText = usePageTexts(AUTH_PROFILE_TEXTS);
  const { profile } = useSearch({ from: '/settings/auth-profiles' });
  return (
    <>
      <div className={columns['beside']}>
        <Card title={pageText('profiles')}>
          <p className={columns['note']}>{pageText('profiles.text')}</p>
          <Profiles />
        </Card>
        {profile === undefined ? (
          <Card title={pageText('profile')}>
            <p className={columns['note']}>{pageText('choose')}</p>
          </Card>
        ) : (
          <Chosen key={profile} id={profile} />
        )}
      </div>
      <Simulator />
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
  const profile = useQuery(authProfileQuery(useApi(), id));
  return (
    <Card title={profile.data?.value.name ?? pageText('profile')}>
      {profile.isError && <Failure error={profile.error} onRetry={profile.refetch} />}
      {profile.data !== undefined && <Editor profile={profile.data} />}
    </Card>
  );
}
