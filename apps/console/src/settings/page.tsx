import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { Heading } from '../ui/heading.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import styles from './page.module.css';
import { SECTIONS } from './sections.ts';
import { SETTINGS_TEXTS } from './texts.ts';
import { useMissing } from './use-missing.ts';

/** How people and programs get in. Its sections are loaded when they are opened, and only those are offered that the session may read. */
export function SettingsPage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(SETTINGS_TEXTS);
  const { pathname } = useLocation();
  const missing = useMissing();
  // There, all sections and what they show come first.
  const isNarrow = useIsNarrow();
  const offered = SECTIONS.filter(({ name }) => missing(name) === null);
  const shown = SECTIONS.find(({ link }) => pathname === link.to) ?? SECTIONS[0];
  const lacks = missing(shown.name);
  return (
    <>
      <Heading title={text('nav.settings')}>{isNarrow ? undefined : <p>{pageText('about')}</p>}</Heading>
      {offered.length > (lacks === null ? 1 : 0) && (
        <nav aria-label={pageText('sections')} className={styles['sections']}>
          {offered.map(({ name, link }) => (
            <Link key={name} activeOptions={{ includeSearch: false }} {...link}>
              {pageText(name)}
            </Link>
          ))}
        </nav>
      )}
      {lacks === null ? <Outlet /> : <MissingRight needed={lacks} />}
    </>
  );
}
