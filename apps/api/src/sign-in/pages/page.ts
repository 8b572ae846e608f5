import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** One page, before it is rendered. */
export interface Page {
  readonly title: string;
  readonly content: Child;
  /** Where it is shown again by GET, for another language; null where it is shown once, and nothing may lead away from it. */
  readonly path: string | null;
  /** 200 if left out. */
  readonly status?: ContentfulStatusCode;
  /** Whether passkeys are offered, which need a script. */
  readonly script?: boolean;
  /** Whether it has more than a form. */
  readonly wide?: boolean;
}

/** What a page needs beyond text and style. */
export interface PageNeeds {
  /** Whether it runs scripts, such as that for passkeys. */
  readonly script: boolean;
  /** Whether it shows pictures. */
  readonly pictures?: boolean;
  /** Whether it shows other pages of the service in frames. */
  readonly frames?: boolean;
}
