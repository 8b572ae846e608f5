/** An origin of the list, taken apart. */
interface Source {
  /** Null where the list names none. */
  readonly scheme: string | null;
  /** Without `*.`, in lower case. */
  readonly host: string;
  readonly isAnySubdomain: boolean;
  /** Null where the list names none. */
  readonly port: string | null;
}

/** Whether pages of an origin may show a page of ours in a frame. */
export type Framing = 'ALLOWED' | 'REFUSED' | 'NO_ORIGIN';

const SOURCE = /^(?:(https?):\/\/)?(\*\.)?(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i;

/** The origins of the list, as texts. */
export const originsOf = (whitelist: string | null): readonly string[] =>
  (whitelist ?? '').split(' ').filter((origin) => origin !== '');

/** Decides on a frame as browsers do for the directive `frame-ancestors 'self' <whitelist>`, without a list `'none'`. */
export function decideFraming(whitelist: string | null, framing: string, own: string): Framing {
  const page = parseOrigin(framing);
  if (page === null) return 'NO_ORIGIN';
  const origins = originsOf(whitelist);
  if (origins.length === 0) return 'REFUSED';
  const ownPage = new URL(own);
  if (page.origin === ownPage.origin) return 'ALLOWED';
  const isAllowed = origins
    .map(parseSource)
    .some((source) => source !== null && isSourceOf(source, page, ownPage.protocol));
  return isAllowed ? 'ALLOWED' : 'REFUSED';
}

/** The origin of a page; null for a text that names none. */
function parseOrigin(text: string): URL | null {
  const address = text.trim();
  const withScheme = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  return address !== '' && URL.canParse(withScheme) ? new URL(withScheme) : null;
}

/** Null for a text that is no origin. */
function parseSource(text: string): Source | null {
  const [, scheme, any, host = '', port] = SOURCE.exec(text) ?? [];
  if (host === '') return null;
  return {
    scheme: scheme?.toLowerCase() ?? null,
    host: host.toLowerCase(),
    isAnySubdomain: any !== undefined,
    port: port ?? null,
  };
}

/** Content Security Policy Level 3, 6.7.2.8: http allows https too, and a source without a scheme has that of our page. */
function isSourceOf({ scheme, host, isAnySubdomain, port }: Source, page: URL, ownProtocol: string): boolean {
  const wanted = scheme === null ? ownProtocol : `${scheme}:`;
  const isUpgraded = wanted === 'http:' && page.protocol === 'https:';
  if (page.protocol !== wanted && !isUpgraded) return false;
  if (isAnySubdomain ? !page.hostname.endsWith(`.${host}`) : page.hostname !== host) return false;
  if (port === null) return page.port === '';
  return portOf(page) === port || (isUpgraded && port === '80' && portOf(page) === '443');
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
