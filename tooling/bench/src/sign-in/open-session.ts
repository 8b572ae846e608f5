import type { RunningApi } from '@access-admin/harness';
import { PASSWORD } from './people.ts';

/** Signs an identity in by a link, as a browser does; returns the headers that its pages send with each request. */
export async function openSession(
  { baseAddress, client }: Pick<RunningApi, 'baseAddress' | 'client'>,
  identityId: string,
): Promise<readonly string[]> {
  const { url } = await client.authUsers.createSignInLink(identityId);
  const response = await fetch(url, {
    ...{ method: 'POST', redirect: 'manual', headers: { origin: baseAddress } },
    body: new URLSearchParams({ password: PASSWORD, repeated: PASSWORD }),
  });
  const [cookie] = response.headers.getSetCookie().filter((each) => /^session=./.test(each));
  if (cookie === undefined) throw new Error(`${response.status}: ${await response.text()}`);
  return [`Cookie: ${cookie.split(';', 1)[0]}`, `Origin: ${baseAddress}`];
}
