import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { usePageGroups } from '../search/use-page-groups.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './navigation.module.css';

/** The links to the pages that can show something to the session. */
export function Navigation() {
  const { text } = useSpeech();
  const groups = usePageGroups();
  return (
    <nav aria-label={text('app.navigation')} className={styles['nav']}>
      {groups.map((group) => (
        <Group key={group.name} {...group} />
      ))}
    </nav>
  );
}

/** Some pages. The name of a group with a single page would say the same as its link. */
function Group({ name, pages }: ReturnType<typeof usePageGroups>[number]) {
  const { text } = useSpeech();
  const id = useId();
  return (
    <div className={styles['group']}>
      <p id={id} className={pages.length > 1 ? styles['name'] : 'away'}>
        {text(name)}
      </p>
      <ul aria-labelledby={id}>
        {pages.map((page) => (
          <li key={page.name}>
            <Link activeOptions={{ includeSearch: false }} {...page.link}>
              <Icon name={page.name} />
              {text(`nav.${page.name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
