import { Link, linkOptions, Outlet } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { Heading } from '../ui/heading.tsx';
import styles from './page.module.css';
import { SETTINGS_TEXTS } from './texts.ts';

/** The sections, each a page of its own with its name in the texts. */
const SECTIONS = [
  { name: 'auth-profiles', link: linkOptions({ to: '/settings/auth-profiles' }) },
  { name: 'sign-in', link: linkOptions({ to: '/settings/sign-in' }) },
  { name: 'login-page', link: linkOptions({ to: '/settings/login-page' }) },
  { name: 'clients', link: linkOptions({ to: '/settings/clients' }) },
  { name: 'webhooks', link: linkOptions({ to: '/settings/webhooks' }) },
] as const;

/** How people and programs get in. Its sections are loaded when they are opened. */
export function SettingsPage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(SETTINGS_TEXTS);
  return (
    <>
      <Heading title={text('nav.settings')}>
        <p>{pageText('about')}</p>
      </Heading>
      <nav aria-label={pageText('sections')} className={styles['sections']}>
        {SECTIONS.map(({ name, link }) => (
          <Link key={name} activeOptions={{ includeSearch: false }} {...link}>
            {pageText(name)}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
