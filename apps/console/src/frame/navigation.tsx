import { Link, type LinkProps } from '@tanstack/react-router';
import { useSpeech } from '../languages/context.tsx';
import type { MessageKey } from '../languages/english.ts';
import type { router } from './router.tsx';
import styles from './shell.module.css';

interface NavigationEntry {
  readonly to: LinkProps<'a', typeof router>['to'];
  readonly name: MessageKey;
  /** What the page is opened with. */
  readonly search?: { readonly status: 'Open' };
}

const ENTRIES: readonly NavigationEntry[] = [
  { to: '/', name: 'nav.overview' },
  { to: '/violations', name: 'nav.violations', search: { status: 'Open' } },
  { to: '/matrix', name: 'nav.matrix' },
  { to: '/what-if', name: 'nav.what-if' },
];

/** The links to all pages. */
export function Navigation() {
  const { text } = useSpeech();
  return (
    <nav aria-label={text('app.navigation')} className={styles['nav']}>
      {ENTRIES.map(({ to, name, search }) => (
        <Link key={name} to={to} search={search ?? {}} activeOptions={{ exact: to === '/', includeSearch: false }}>
          {text(name)}
        </Link>
      ))}
    </nav>
  );
}
