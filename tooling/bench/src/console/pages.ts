import type { ConsolePage } from './first-load.ts';

/** An expression that holds once the page has an element. */
const has = (selector: string) => `document.querySelector(${JSON.stringify(selector)}) !== null`;

/** The pages, each as its address in the sample and what it shows once it has read what it is about. */
export const PAGES: readonly ConsolePage[] = [
  { name: 'overview', path: '', isShown: has('main table td') },
  { name: 'overview at 360 pixels', path: '', isShown: has('main table td'), width: 360 },
  { name: 'violations', path: 'violations?status=Open', isShown: has('main [role=cell]') },
  { name: 'matrix', path: 'matrix', isShown: has('main td button') },
  { name: 'what-if', path: 'what-if', isShown: has('main input') },
  { name: 'policies', path: 'policies', isShown: has('main [role=cell]') },
  { name: 'policy', path: 'policies/sod-p2p-01', isShown: has('main input') },
  { name: 'people', path: 'people', isShown: has('main [role=cell]') },
  { name: 'person', path: 'people/i-0001', isShown: has('main h2') },
  { name: 'exceptions', path: 'exceptions', isShown: has('main h1') },
  { name: 'settings, auth profiles', path: 'settings/auth-profiles', isShown: has('main h2') },
  { name: 'settings, webhooks', path: 'settings/webhooks', isShown: has('main h2') },
  { name: 'reports and checks', path: 'reports', isShown: has('main h2') },
  { name: 'audit log', path: 'audit-log', isShown: has('main [role=row], main li') },
];
