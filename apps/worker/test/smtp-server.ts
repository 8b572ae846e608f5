import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A mail as the server has taken it. */
export interface TakenMail {
  readonly to: string;
  /** The lines of the header, unfolded. */
  readonly headers: readonly string[];
  readonly text: string;
  readonly html: string;
}

/** A server of SMTP on a free port, until the test ends. */
export async function openSmtpServer(options: SMTPServerOptions = {}) {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        taken.push(parse(envelope.rcptTo.map(({ address }) => address).join(), Buffer.concat(chunks).toString('utf8')));
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { taken, port, url: `smtp://127.0.0.1:${port}` };
}

function parse(to: string, source: string): TakenMail {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? '';
  const [, text = '', html = ''] = rest.join('\r\n\r\n').split(`--${boundary}`);
  return {
    to,
    headers: head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n'),
    text: contentOf(text),
    html: contentOf(html),
  };
}

function contentOf(part: string): string {
  const [head = '', ...body] = part.split('\r\n\r\n');
  const content = body.join('\r\n\r\n').replaceAll('\r\n', '\n');
  if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(head)) return content;
  const bytes = content
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
