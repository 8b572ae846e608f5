import type { LockoutConfig, NetworkConfig, SessionConfig } from '@access-admin/client';
import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import { Facts } from '../../ui/facts.tsx';
import { FORM_TEXTS } from '../../ui/forms/texts.ts';
import { SIGN_IN_TEXTS } from './texts.ts';

/** The values of networks and countries, without fields, for a session that may only read them. */
export function NetworkReading({ network: { range, geolocation, whitelisted } }: { readonly network: NetworkConfig }) {
  const { list } = useSpeech();
  const pageText = usePageTexts(SIGN_IN_TEXTS);
  const means = whitelisted ? 'trusted' : 'untrusted';
  const countries = geolocation === null ? '–' : `${list(geolocation)}. ${pageText(`${means}.hint`)}`;
  return (
    <>
      <p>{pageText('network.text')}</p>
      <Facts
        facts={[
          { name: pageText('range'), value: range === null ? '–' : range.join('\n') },
          { name: geolocation === null ? pageText('geolocation') : pageText(`${means}.countries`), value: countries },
        ]}
      />
    </>
  );
}

/** The values of the lockout, without fields, for a session that may only read them. */
export function LockoutReading({ lockout }: { readonly lockout: LockoutConfig }) {
  const pageText = usePageTexts(SIGN_IN_TEXTS);
  const { maximumAttempts: attempts, lockoutWindow: window, lockoutDuration: duration } = lockout;
  return <p>{pageText('lockout.text', { attempts, window, duration })}</p>;
}

/** The values of the length of sessions, without fields, for a session that may only read them. */
export function SessionReading({ session }: { readonly session: SessionConfig }) {
  const pageText = usePageTexts(SIGN_IN_TEXTS);
  const formText = usePageTexts(FORM_TEXTS);
  const { maxIdleTime: idle, maxSessionTime: total, rememberMe } = session;
  return (
    <>
      <p>{pageText('session.text', { idle, total })}</p>
      <Facts facts={[{ name: pageText('rememberMe'), value: formText(rememberMe ? 'yes' : 'no') }]} />
    </>
  );
}
