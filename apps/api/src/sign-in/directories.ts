import { findApplication, type SignInApplication } from './applications.ts';
import { createDirectory, type Directory, type DirectoryAnswer } from './directory.ts';

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
}

export function createDirectories({ applications, log }: DirectoriesDeps): Directories {
  const directories = new Map<SignInApplication, Directory>();
  for (const application of applications) {
    if (application.kind !== 'ldap') continue;
    const tell = (reason: string) => log.error({ application: application.id, reason }, 'a directory does not answer');
    directories.set(application, createDirectory(application, tell));
  }
  return {
    verify: async ({ tenant, applicationId, username, password }) => {
      const application = findApplication(applications, tenant, applicationId);
      const directory = application === null ? undefined : directories.get(application);
      return directory === undefined ? 'WRONG' : directory.verify(username, password);
    },
  };
}
