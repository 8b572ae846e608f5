import { createTransport } from 'nodemailer';

/** A mail as it is handed to the server. */
export interface OutgoingMail {
  /** Unique; equal in each attempt, so that programs recognize a mail that is sent twice. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What became of a mail: taken, refused for good, refused for now, or not judged because the server is away, full or unusable. */
export type SendOutcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused' | 'later' | 'away'; readonly error: Error };

export interface MailServer {
  /** Rejects only when the signal is aborted. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<SendOutcome>;
  /** Connects, and signs in where the server offers it, as for a mail. The reason where that fails, or takes too long. */
  verify(): Promise<ExaminedServer | Error>;
}

/** A server that was reached, and whether it offered a sign-in and took that of its address. */
interface ExaminedServer {
  readonly isSignedIn: boolean;
}

interface MailServerOptions {
  readonly smtpUrl: string;
  readonly from: string;
  /** Another limit, for a person that waits, and for tests of servers that hang. */
  readonly sentWithinMs?: number;
}

/** A mail takes no longer, however slowly the server answers. */
const SENT_WITHIN_MS = 30_000;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/**
 * A server behind `smtp://`, with TLS by STARTTLS, or `smtps://`. Certificates are verified. Sign-in links are sent through it, so
 * that it must offer TLS, unless it is this machine or the address has `ignoreTLS=true`.
 */
export function openMailServer({ smtpUrl, from, sentWithinMs = SENT_WITHIN_MS }: MailServerOptions): MailServer {
  const { hostname, searchParams } = new URL(smtpUrl);
  const requireTLS = !LOOPBACK.test(hostname) && searchParams.get('ignoreTLS') !== 'true';
  const options = { url: smtpUrl, requireTLS, disableFileAccess: true, disableUrlAccess: true };
  const transport = createTransport(options);
  const domain = from.replace(/^.*@|>$/g, '');
  return {
    send: async ({ id, to, ...content }, signal) => {
      try {
        await transport.sendMail({
          ...content,
          from,
          to: { name: '', address: to },
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([signal, AbortSignal.timeout(sentWithinMs)]),
        });
        return { kind: 'taken' };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Error)) throw error;
        return { kind: kindOf(error), error };
      }
    },
    verify: async () => {
      let isSignedIn = false;
      // The sign-in is left out where the server offers none, and only lines of the log say so.
      const info = ({ action }: { readonly action?: unknown }) => {
        if (action === 'authenticated') isSignedIn = true;
      };
      const examined = createTransport({ ...options, logger: { info } });
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('no answer in time')), sentWithinMs);
      });
      try {
        await Promise.race([examined.verify(), timeout]);
        return { isSignedIn };
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** A reply to the recipient or to the content concerns this mail alone. */
function kindOf(error: Error & { readonly command?: unknown; readonly responseCode?: unknown }) {
  const { command, responseCode } = error;
  if (typeof responseCode !== 'number' || (command !== 'RCPT TO' && command !== 'DATA')) return 'away';
  return responseCode >= 500 ? 'refused' : 'later';
}
