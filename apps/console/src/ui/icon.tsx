import styles from './icon.module.css';

/** The lines of each icon, on a ground of 24 by 24. */
const LINES = {
  overview: 'M4 4h7v7H4zM13 4h7v4h-7zM13 11h7v9h-7zM4 14h7v6H4z',
  violations: 'M12 4 3 20h18zM12 10v4.5M12 17v.5',
  exceptions: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V12l3 2',
  'what-if': 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.6 9.5a2.5 2.5 0 1 1 3.5 2.4c-.8.3-1.1.8-1.1 1.6M12 16.5v.5',
  policies: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  matrix: 'M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16',
  controls: 'M12 3l8 3v6c0 4.5-3.5 7.7-8 9-4.5-1.3-8-4.5-8-9V6zM8.5 12l2.5 2.5 4.5-4.5',
  people:
    'M9 4a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.6c2 .9 3 2.8 3 5.4',
  sources:
    'M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
  reports: 'M4 4v16h16M8.5 16v-4M13 16V7M17.5 16v-6',
  'audit-log': 'M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5',
  filters: 'M4 6h16M7 12h10M10 18h4',
  menu: 'M4 6h16M4 12h16M4 18h16',
  access: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l8-8M15 8l3 3',
  more: 'M8 10l4 4 4-4',
} as const;

export type IconName = keyof typeof LINES;

/** A small picture beside a word that says the same: it is nothing to those who cannot see it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className={styles['icon']} viewBox="0 0 24 24" aria-hidden="true">
    <path d={LINES[name]} />
  </svg>
);
