import styles from './breadcrumb.module.css';
import link from './link.module.css';

export interface Crumb {
  readonly name: string;
  readonly onChoose: () => void;
}

export interface BreadcrumbProps {
  readonly label: string;
  /** From the whole down to what is shown. */
  readonly crumbs: readonly Crumb[];
}

/** Where in a page somebody is, and the ways back. All are buttons, so that the one that was pressed keeps the focus. */
export const Breadcrumb = ({ label, crumbs }: BreadcrumbProps) => (
  <nav aria-label={label}>
    <ol className={styles['crumbs']}>
      {crumbs.map(({ name, onChoose }, at) => (
        <li key={at}>
          <button
            type="button"
            className={link['inline']}
            aria-current={at === crumbs.length - 1 ? 'page' : undefined}
            onClick={onChoose}
          >
            <bdi>{name}</bdi>
          </button>
        </li>
      ))}
    </ol>
  </nav>
);
