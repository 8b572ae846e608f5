import { Hono } from 'hono';
import { account } from './account/routes.ts';
import type { ApiEnv } from './env.ts';
import { rememberFixedPaths } from './http/fixed-paths.ts';
import { refuse } from './http/problem.ts';
import { sentPath } from './http/target.ts';
import { withContext } from './middleware/context.ts';
import { failureOfError } from './middleware/errors.ts';
import { createNotFound } from './middleware/not-found.ts';
import { accessModel } from './routes/access-model.ts';
import { audit } from './routes/audit.ts';
import { authProfiles } from './routes/auth-profiles.ts';
import { authUsers } from './routes/auth-users.ts';
import { authzen } from './routes/authzen.ts';
import { logo } from './routes/branding/logo.ts';
import { branding } from './routes/branding.ts';
import { checks } from './routes/checks.ts';
import { clients } from './routes/clients.ts';
import { consoleFiles, consolePages } from './routes/console/pages.tsx';
import { controls } from './routes/controls.ts';
import { events } from './routes/events.ts';
import { exceptions } from './routes/exceptions.ts';
import { loads } from './routes/loads.ts';
import { lookUps } from './routes/look-ups.ts';
import { persons } from './routes/persons.ts';
import { policies } from './routes/policies.ts';
import { predictions } from './routes/predictions.ts';
import { records } from './routes/records.ts';
import { reports } from './routes/reports.ts';
import { reservations } from './routes/reservations.ts';
import { scim } from './routes/scim.ts';
import { docs } from './routes/service/docs.ts';
import { serviceEndpoints } from './routes/service/endpoints.ts';
import { tokenEndpoint } from './routes/service/oauth-token.ts';
import { currentSession } from './routes/sessions/current.ts';
import { sessions as sessionOperations } from './routes/sessions.ts';
import { signInSettings } from './routes/sign-in-settings.ts';
import { sources } from './routes/sources.ts';
import { tenants } from './routes/tenants.ts';
import { uiMetadata } from './routes/ui-metadata.ts';
import { violations } from './routes/violations.ts';
import { webhooks } from './routes/webhooks.ts';
import { type AppParts, createServices } from './services.ts';
import { pageAssets, pages } from './sign-in/mount.ts';
import { signIn } from './sign-in/routes.ts';

/** The whole service as a Hono application; `server/serve.ts` puts it on a socket. */
export function createApp(parts: AppParts): Hono<ApiEnv> {
  const services = createServices(parts);
  const { config, consoleDocument } = services;
  const app = new Hono<ApiEnv>({ getPath: sentPath });
  app.fetch = withContext(app.fetch, services);

  // In the order of the contract: so `Allow` names the methods of a path.
  app.route('/', authUsers());
  app.route('/', authProfiles());
  app.route('/', signInSettings());
  app.route('/', sessionOperations());
  app.route('/', predictions());
  app.route('/', authzen());
  app.route('/', checks());
  app.route('/', reports());
  app.route('/', violations());
  app.route('/', policies());
  app.route('/', exceptions());
  app.route('/', reservations());
  app.route('/', controls());
  app.route('/', uiMetadata());
  app.route('/', branding());
  app.route('/', clients());
  app.route('/', tenants());
  app.route('/', accessModel());
  app.route('/', lookUps());
  app.route('/', persons());
  app.route('/', records());
  app.route('/', sources());
  app.route('/', loads());
  app.route('/', audit());
  app.route('/', events());
  app.route('/', webhooks());
  app.route('/', scim());
  app.route('/', tokenEndpoint());
  app.route('/', currentSession());
  app.route('/', serviceEndpoints(config));
  app.route('/', docs());

  app.route('/', pageAssets());
  if (config.consoleFolder !== null && consoleDocument !== null) app.route('/', consoleFiles(config.consoleFolder));
  const ofConsole = consoleDocument === null ? [] : [consolePages(consoleDocument)];
  app.route('/', pages(signIn(), account(), logo(), ...ofConsole));

  // Paths such as `/lint` beside `/:id` make Hono use its trie, which searches fixed paths as well.
  app.router = rememberFixedPaths(app.router, app.routes);
  app.notFound(createNotFound(app));
  app.onError((error, c) => {
    const { failure, reason } = failureOfError(error, c.env.state, services);
    return refuse(c, failure, reason);
  });
  return app;
}
