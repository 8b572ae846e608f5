import { LANGUAGES } from '@access-admin/languages';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { THEMES } from '../look/theme.ts';
import { useApi } from '../service/api.tsx';
import { sessionQuery } from '../service/queries.ts';
import styles from './person.module.css';
import { useFrame } from './state.tsx';

/** The account of the session, the preferences, and the button that signs out. */
export function Person() {
  const { text, language } = useSpeech();
  const session = useQuery(sessionQuery(useApi()));
  const { preferences, change, isLive } = useFrame();
  const themeId = useId();
  const languageId = useId();
  return (
    <div className={styles['person']}>
      <span className={isLive ? styles['live'] : styles['off']}>{text(isLive ? 'live.on' : 'live.off')}</span>
      <a href="/account" className={styles['account']}>
        <span className="away">{text('account.own')}: </span>
        <bdi>{session.data?.displayName ?? session.data?.identityId ?? '…'}</bdi>
      </a>
      <div className={styles['choices']}>
        <label htmlFor={themeId} className="away">
          {text('settings.theme')}
        </label>
        <select
          id={themeId}
          value={preferences.theme}
          onChange={({ target }) => change({ theme: THEMES.find((theme) => theme === target.value) ?? 'system' })}
        >
          {THEMES.map((theme) => (
            <option key={theme} value={theme}>
              {text(`settings.theme.${theme}`)}
            </option>
          ))}
        </select>
        <label htmlFor={languageId} className="away">
          {text('settings.language')}
        </label>
        <select id={languageId} value={language} onChange={({ target }) => change({ language: target.value })}>
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <form method="post" action="/sign-out">
        <button type="submit" className={`button ${styles['out']}`}>
          {text('account.sign-out')}
        </button>
      </form>
    </div>
  );
}
