import { LANGUAGES } from '@access-admin/languages';
import { useId } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { THEMES } from '../look/theme.ts';
import styles from './account.module.css';
import { useFrame } from './state.tsx';

/** The way to the account, the preferences, and the button that signs out; loaded when it is first opened. */
export function AccountPanel() {
  const { text } = useSpeech();
  return (
    <>
      <a href="/account">{text('account.own')}</a>
      <Preferences />
      <form method="post" action="/sign-out">
        <button type="submit" className={`button ${styles['out']}`}>
          {text('account.sign-out')}
        </button>
      </form>
    </>
  );
}

function Preferences() {
  const { text, language } = useSpeech();
  const { preferences, change } = useFrame();
  const themeId = useId();
  const languageId = useId();
  return (
    <>
      <div className="field">
        <label htmlFor={languageId} className="label">
          {text('settings.language')}
        </label>
        <select
          id={languageId}
          className="control"
          value={language}
          onChange={({ target }) => change({ language: target.value })}
        >
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={themeId} className="label">
          {text('settings.theme')}
        </label>
        <select
          id={themeId}
          className="control"
          value={preferences.theme}
          onChange={({ target }) => change({ theme: THEMES.find((theme) => theme === target.value) ?? 'system' })}
        >
          {THEMES.map((theme) => (
            <option key={theme} value={theme}>
              {text(`settings.theme.${theme}`)}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}
