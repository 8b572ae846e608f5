import { Link, linkOptions } from '@tanstack/react-router';
import { useSpeech } from '../languages/context.tsx';
import styles from './menu.module.css';

/** The pages, each with its name in `languages/`. */
const PAGES = [
  { name: 'nav.overview', link: linkOptions({ to: '/', activeOptions: { exact: true } }) },
  { name: 'nav.violations', link: linkOptions({ to: '/violations', search: { status: 'Open' } }) },
  { name: 'nav.matrix', link: linkOptions({ to: '/matrix' }) },
  { name: 'nav.what-if', link: linkOptions({ to: '/what-if' }) },
  { name: 'nav.policies', link: linkOptions({ to: '/policies' }) },
  { name: 'nav.people', link: linkOptions({ to: '/people' }) },
  { name: 'nav.exceptions', link: linkOptions({ to: '/exceptions' }) },
  { name: 'nav.reports', link: linkOptions({ to: '/reports' }) },
  { name: 'nav.settings', link: linkOptions({ to: '/settings' }) },
  { name: 'nav.audit-log', link: linkOptions({ to: '/audit-log' }) },
] as const;

/** The links to all pages. */
export function Navigation() {
  const { text } = useSpeech();
  return (
    <nav aria-label={text('app.navigation')} className={styles['nav']}>
      {PAGES.map(({ name, link }) => (
        <Link key={name} activeOptions={{ includeSearch: false }} {...link}>
          {text(name)}
        </Link>
      ))}
    </nav>
  );
}
