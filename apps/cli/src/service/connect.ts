import { type AccessAdminClient, createClient } from '@access-admin/client';
import { calledWrongly } from '../output/failure.ts';
import { type Profile, readProfiles } from './profiles.ts';

/** Where the address and the credentials may come from. */
export interface ConnectionSources {
  /** The options of the command line. */
  readonly options: Profile & { readonly profile?: string | undefined };
  readonly environment: Profile;
  readonly configPath: string;
}

/** A service, and the client that calls it. */
export interface Connection {
  readonly client: AccessAdminClient;
  readonly url: string;
  readonly clientId: string;
}

/**
 * Connects with what the command line, the environment and the profile say, in this order for each part. Nothing is sent yet.
 * Throws a `CommandFailure` that names what is missing.
 */
export function connect(sources: ConnectionSources): Connection {
  const { url, clientId, clientSecret } = findCredentials(sources);
  if (!/^https?:\/\//i.test(url)) throw calledWrongly(`--url ${url}: must begin with https:// or http://`);
  try {
    return { client: createClient({ baseAddress: url, clientId, clientSecret }), url, clientId };
  } catch (error) {
    throw calledWrongly(`--url ${url}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function findCredentials({ options, environment, configPath }: ConnectionSources): Required<NonNullableProfile> {
  const profile = options.profile === undefined ? {} : profileNamed(options.profile, configPath);
  const found: Profile = {
    url: options.url ?? environment.url ?? profile.url,
    clientId: options.clientId ?? environment.clientId ?? profile.clientId,
    clientSecret: options.clientSecret ?? environment.clientSecret ?? profile.clientSecret,
  };
  const missing = PARTS.filter(([part]) => (found[part] ?? '') === '').map(([, flag]) => flag);
  if (missing.length > 0)
    throw calledWrongly(
      `no ${missing.join(', ')}: give the option, ${missing.map((flag) => `ACCESS_ADMIN_${flag.slice(2).toUpperCase().replace('-', '_')}`).join(', ')} in the environment, or a --profile that \`access-admin login\` has saved`,
    );
  const { url = '', clientId = '', clientSecret = '' } = found;
  return { url, clientId, clientSecret };
}

type NonNullableProfile = { readonly [Part in keyof Profile]: NonNullable<Profile[Part]> };

const PARTS = [
  ['url', '--url'],
  ['clientId', '--client-id'],
  ['clientSecret', '--client-secret'],
] as const;

function profileNamed(name: string, configPath: string): Profile {
  const profiles = readProfiles(configPath);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const known = Object.keys(profiles).sort().join(', ') || 'none';
  throw calledWrongly(`--profile ${name}: there is no such profile in ${configPath}; there: ${known}`);
}
