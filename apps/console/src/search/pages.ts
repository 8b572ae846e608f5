import { linkOptions } from '@tanstack/react-router';

/** The pages by what they are for, each with its name in `languages/`. */
export const PAGE_GROUPS = [
  {
    name: 'nav.group.work',
    pages: [
      { name: 'overview', link: linkOptions({ to: '/', activeOptions: { exact: true } }) },
      { name: 'violations', link: linkOptions({ to: '/violations', search: { status: 'Open' } }) },
      { name: 'exceptions', link: linkOptions({ to: '/exceptions' }) },
      { name: 'what-if', link: linkOptions({ to: '/what-if' }) },
    ],
  },
  {
    name: 'nav.group.rules',
    pages: [
      { name: 'policies', link: linkOptions({ to: '/policies' }) },
      { name: 'matrix', link: linkOptions({ to: '/matrix' }) },
      { name: 'controls', link: linkOptions({ to: '/controls' }) },
    ],
  },
  {
    name: 'nav.group.identities',
    pages: [
      { name: 'people', link: linkOptions({ to: '/people' }) },
      { name: 'access', link: linkOptions({ to: '/access' }) },
      { name: 'sources', link: linkOptions({ to: '/sources' }) },
    ],
  },
  {
    name: 'nav.group.evidence',
    pages: [
      { name: 'reports', link: linkOptions({ to: '/reports' }) },
      { name: 'audit-log', link: linkOptions({ to: '/audit-log' }) },
    ],
  },
  { name: 'nav.settings', pages: [{ name: 'settings', link: linkOptions({ to: '/settings' }) }] },
] as const;
