import { connect as connectPlain, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Client, ResultCodeError } from 'ldapts';
import { findApplication, type LdapApplication, type SignInApplication } from './applications.ts';
import { bindNameOf } from './bind-name.ts';

/** What a directory says about a username and a password. `UNAVAILABLE` says nothing about either. */
export type DirectoryAnswer = 'RIGHT' | 'WRONG' | 'UNAVAILABLE';

/** Asks a directory by binding as the user. */
export interface Directory {
  verify(username: string, password: string): Promise<DirectoryAnswer>;
}

/** A longer password is none of a directory. */
const PASSWORD_LENGTH_MAX = 1024;
/** Verifications that wait for a connection; one more is answered as unavailable. */
const WAITING_MAX = 64;
const TLS_VERSION_MIN = 'TLSv1.2';

/** Verifies passwords by a directory. Each verification has a connection of its own, so that none has the rights of another. */
export function createDirectory(
  application: LdapApplication,
  /** Told why a directory does not answer; never what was typed. */
  onUnavailable: (reason: string) => void,
): Directory {
  const places = createPlaces(application.connectionsMax);
  return {
    verify: async (username, password) => {
      const name = bindNameOf(application.bindDn, username);
      // A bind with a name and without a password is anonymous, and succeeds (RFC 4513, 5.1.2).
      if (name === null || password === '' || password.length > PASSWORD_LENGTH_MAX) return 'WRONG';
      const release = await places.take();
      if (release === null) {
        onUnavailable('too many verifications at once');
        return 'UNAVAILABLE';
      }
      try {
        await bindOnce(application, { name, password });
        return 'RIGHT';
      } catch (error) {
        if (error instanceof ResultCodeError && WRONG_CODES.has(error.code)) return 'WRONG';
        onUnavailable(reasonOf(error));
        return 'UNAVAILABLE';
      } finally {
        release();
      }
    },
  };
}

/** Of RFC 4511: noSuchObject, invalidDNSyntax, inappropriateAuthentication, invalidCredentials, insufficientAccessRights. */
const WRONG_CODES: ReadonlySet<number> = new Set([32, 34, 48, 49, 50]);

/** The kind of the error alone: messages of a directory may repeat names. */
const reasonOf = (error: unknown): string => {
  if (error instanceof ResultCodeError) return `result code ${error.code}`;
  const { code }: { readonly code?: unknown } = Object(error);
  if (typeof code === 'string') return code;
  return error instanceof Error && error.message === TIMED_OUT ? TIMED_OUT : 'the connection ended';
};

const TIMED_OUT = 'no answer in time';

interface Binding {
  readonly name: string;
  readonly password: string;
}

/** Connects, binds and ends the connection, within the time of the application. */
async function bindOnce(application: LdapApplication, { name, password }: Binding): Promise<void> {
  const { url, startTls, timeoutMs, authorities } = application;
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const tls: ConnectionOptions = {
    host,
    minVersion: TLS_VERSION_MIN,
    rejectUnauthorized: true,
    ...(authorities === null ? {} : { ca: authorities }),
  };
  const sockets: Socket[] = [];
  const client = new Client({
    url,
    timeout: timeoutMs,
    connectTimeout: timeoutMs,
    // With these options the client begins with TLS whatever the address says.
    ...(url.startsWith('ldaps:') ? { tlsOptions: tls } : {}),
    // The client connects again by itself where a connection has ended: after StartTLS this would send the password in the clear.
    // biome-ignore lint/plugin/type-assertion: The client calls one of the overloads alone, that of a port and a host.
    createConnection: ((port: number, to: string) => keepOnly(sockets, connectPlain(port, to))) as typeof connectPlain,
  });
  const binding = async () => {
    if (startTls) await client.startTLS({ ...tls });
    await client.bind(name, password);
  };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // The client has no limit for the handshake of StartTLS.
    timer = setTimeout(() => reject(new Error(TIMED_OUT)), timeoutMs);
  });
  try {
    await Promise.race([binding(), timeout]);
  } finally {
    clearTimeout(timer);
    client.unbind().catch(() => {});
    for (const socket of sockets) socket.destroy();
  }
}

/** Keeps the first connection; a second one is closed before anything is sent. */
function keepOnly(sockets: Socket[], socket: Socket): Socket {
  if (sockets.length > 0) socket.destroy(new Error('the directory has ended the connection'));
  sockets.push(socket);
  return socket;
}

/** Places for verifications at the same time; `take` resolves to null where too many wait. */
function createPlaces(places: number) {
  let free = places;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    take: async (): Promise<(() => void) | null> => {
      if (free > 0) free--;
      else if (waiting.length >= WAITING_MAX) return null;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
}

/** A username and a password, and the application of the tenant that is asked about them. */
export interface DirectoryQuestion {
  readonly tenant: string;
  readonly applicationId: string | null;
  readonly username: string;
  readonly password: string;
}

/** The directories among the applications. */
export interface Directories {
  /** `WRONG` where the application is no directory of the tenant. */
  verify(question: DirectoryQuestion): Promise<DirectoryAnswer>;
}

interface DirectoriesDeps {
  readonly applications: readonly SignInApplication[];
  readonly log: { readonly error: (fields: object, message: string) => void };
  /** Called after each verification that a directory has not answered. */
  readonly onUnanswered: (application: SignInApplication) => void;
}

export function createDirectories({ applications, log, onUnanswered }: DirectoriesDeps): Directories {
  const directories = new Map<SignInApplication, Directory>();
  for (const application of applications) {
    if (application.kind !== 'ldap') continue;
    const onUnavailable = (reason: string) => {
      onUnanswered(application);
      log.error({ application: application.id, reason }, 'a directory does not answer');
    };
    directories.set(application, createDirectory(application, onUnavailable));
  }
  return {
    verify: async ({ tenant, applicationId, username, password }) => {
      const application = findApplication(applications, tenant, applicationId);
      const directory = application === null ? undefined : directories.get(application);
      return directory === undefined ? 'WRONG' : directory.verify(username, password);
    },
  };
}
