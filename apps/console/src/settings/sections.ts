import { linkOptions } from '@tanstack/react-router';

/** The sections of the settings, each a page of its own with its name in the texts. */
export const SECTIONS = [
  { name: 'auth-profiles', link: linkOptions({ to: '/settings/auth-profiles' }) },
  { name: 'sign-in', link: linkOptions({ to: '/settings/sign-in' }) },
  { name: 'login-page', link: linkOptions({ to: '/settings/login-page' }) },
  { name: 'clients', link: linkOptions({ to: '/settings/clients' }) },
  { name: 'webhooks', link: linkOptions({ to: '/settings/webhooks' }) },
] as const;
