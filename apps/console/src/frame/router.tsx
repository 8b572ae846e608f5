import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { parseAccessSearch } from '../service/access/search.ts';
import { parseAuditSearch } from '../service/audit/search.ts';
import { parseExceptionSearch } from '../service/exceptions/search.ts';
import { parseMatrixSearch } from '../service/matrix-search.ts';
import { parsePeopleSearch } from '../service/people/search.ts';
import { parsePolicySearch } from '../service/policy/search.ts';
import { parseReportSearch, parseReportsSearch } from '../service/reports/search.ts';
import { parseAuthProfileSearch, parseWebhookSearch } from '../service/settings/search.ts';
import { parseSourceSearch, parseSourcesSearch } from '../service/sources/search.ts';
import { parseViolationSearch } from '../service/violation-search.ts';
import { parseWhatIfSearch } from '../service/what-if-search.ts';
import { afterPaint } from '../ui/after-paint.ts';
import { BrokenPage } from './broken-page.tsx';
import { PermittedPage } from './permitted-page.tsx';
import { Shell } from './shell.tsx';
import { UnknownPage } from './unknown-page.tsx';

const root = createRootRoute({
  component: PermittedPage,
  notFoundComponent: UnknownPage,
  // A page takes longer to make than a frame: until it is there, the link of it is shown as the present one.
  beforeLoad: async ({ location, preload }) => {
    const { resolvedLocation } = router.state;
    if (!preload && resolvedLocation !== undefined && resolvedLocation.pathname !== location.pathname)
      await afterPaint();
  },
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../overview/page.tsx'), 'OverviewPage'),
});

const violations = createRoute({
  getParentRoute: () => root,
  path: '/violations',
  validateSearch: parseViolationSearch,
  component: lazyRouteComponent(() => import('../violations/page.tsx'), 'ViolationsPage'),
});

const matrix = createRoute({
  getParentRoute: () => root,
  path: '/matrix',
  validateSearch: parseMatrixSearch,
  component: lazyRouteComponent(() => import('../matrix/page.tsx'), 'MatrixPage'),
});

const whatIf = createRoute({
  getParentRoute: () => root,
  path: '/what-if',
  validateSearch: parseWhatIfSearch,
  component: lazyRouteComponent(() => import('../what-if/page.tsx'), 'WhatIfPage'),
});

const policies = createRoute({
  getParentRoute: () => root,
  path: '/policies',
  validateSearch: parsePolicySearch,
  component: lazyRouteComponent(() => import('../policies/page.tsx'), 'PoliciesPage'),
});

const policyFile = () => import('../policy/page.tsx');

const policy = createRoute({
  getParentRoute: () => root,
  path: '/policies/$id',
  component: lazyRouteComponent(policyFile, 'PolicyPage'),
});

const newPolicy = createRoute({
  getParentRoute: () => root,
  path: '/policies/new',
  component: lazyRouteComponent(policyFile, 'NewPolicyPage'),
});

const controls = createRoute({
  getParentRoute: () => root,
  path: '/controls',
  component: lazyRouteComponent(() => import('../controls/page.tsx'), 'ControlsPage'),
});

const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  validateSearch: parsePeopleSearch,
  component: lazyRouteComponent(() => import('../people/page.tsx'), 'PeoplePage'),
});

const person = createRoute({
  getParentRoute: () => root,
  path: '/people/$id',
  component: lazyRouteComponent(() => import('../person/page.tsx'), 'PersonPage'),
});

// One import, which the first script has once.
const accessFile = () => import('../access/page.tsx');

const access = createRoute({
  getParentRoute: () => root,
  path: '/access',
  validateSearch: parseAccessSearch,
  component: lazyRouteComponent(() => import('../catalogue/page.tsx'), 'CataloguePage'),
});

const role = createRoute({
  getParentRoute: () => root,
  path: '/roles/$id',
  component: lazyRouteComponent(accessFile, 'RolePage'),
});

const accessProfile = createRoute({
  getParentRoute: () => root,
  path: '/access-profiles/$id',
  component: lazyRouteComponent(accessFile, 'AccessProfilePage'),
});

const entitlement = createRoute({
  getParentRoute: () => root,
  path: '/entitlements/$id',
  component: lazyRouteComponent(accessFile, 'EntitlementPage'),
});

const sources = createRoute({
  getParentRoute: () => root,
  path: '/sources',
  validateSearch: parseSourcesSearch,
  component: lazyRouteComponent(() => import('../sources/page.tsx'), 'SourcesPage'),
});

const source = createRoute({
  getParentRoute: () => root,
  path: '/sources/$id',
  validateSearch: parseSourceSearch,
  component: lazyRouteComponent(() => import('../source/page.tsx'), 'SourcePage'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../settings/page.tsx'), 'SettingsPage'),
});

const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/auth-profiles', replace: true });
  },
});

const authProfiles = createRoute({
  getParentRoute: () => settings,
  path: '/auth-profiles',
  validateSearch: parseAuthProfileSearch,
  component: lazyRouteComponent(() => import('../settings/auth-profiles/page.tsx'), 'AuthProfilesSection'),
});

const signIn = createRoute({
  getParentRoute: () => settings,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../settings/sign-in/page.tsx'), 'SignInSection'),
});

const clients = createRoute({
  getParentRoute: () => settings,
  path: '/clients',
  component: lazyRouteComponent(() => import('../settings/clients/page.tsx'), 'ClientsSection'),
});

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  validateSearch: parseWebhookSearch,
  component: lazyRouteComponent(() => import('../settings/webhooks/page.tsx'), 'WebhooksSection'),
});

const loginPage = createRoute({
  getParentRoute: () => settings,
  path: '/login-page',
  component: lazyRouteComponent(() => import('../settings/login-page/page.tsx'), 'LoginPageSection'),
});

const exceptions = createRoute({
  getParentRoute: () => root,
  path: '/exceptions',
  validateSearch: parseExceptionSearch,
  component: lazyRouteComponent(() => import('../exceptions/page.tsx'), 'ExceptionsPage'),
});

const reports = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  validateSearch: parseReportsSearch,
  component: lazyRouteComponent(() => import('../reports/page.tsx'), 'ReportsPage'),
});

const report = createRoute({
  getParentRoute: () => root,
  path: '/reports/$id',
  validateSearch: parseReportSearch,
  component: lazyRouteComponent(() => import('../report/page.tsx'), 'ReportPage'),
});

const auditLog = createRoute({
  getParentRoute: () => root,
  path: '/audit-log',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import('../audit-log/page.tsx'), 'AuditLogPage'),
});

/** The pages of the console, each a file that is loaded when it is needed. */
export const router = createRouter({
  routeTree: root.addChildren([
    auditLog,
    overview,
    violations,
    matrix,
    whatIf,
    policies,
    policy,
    newPolicy,
    controls,
    people,
    person,
    access,
    role,
    accessProfile,
    entitlement,
    sources,
    source,
    exceptions,
    reports,
    report,
    settings.addChildren([settingsStart, authProfiles, signIn, loginPage, clients, webhooks]),
  ]),
  basepath: '/console',
  // Else values that a page does not understand would reach it beside those that it does.
  search: { strict: true },
  // Around the pages, not a page itself: it is shown while the file of the first page is loaded.
  InnerWrap: Shell,
  defaultErrorComponent: BrokenPage,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
