import { type AccessAdminClient, createSessionClient, type Fetch } from '@access-admin/client';
import { createContext, useContext } from 'react';

// Pages say what is wrong and offer to try again, so few attempts are made before that.
const RETRIES = 2;

/** The operations of the service, with the session of this browser. */
export const createApi = (origin: string, fetch: Fetch): AccessAdminClient =>
  createSessionClient({ baseAddress: origin, retries: RETRIES, fetch });

const ApiContext = createContext<AccessAdminClient | null>(null);

/** Gives the pages below it the operations. */
export const ApiProvider = ApiContext;

/** The operations of the service. */
export function useApi(): AccessAdminClient {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('the page has no service');
  return api;
}
