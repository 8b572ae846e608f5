import type { UiMetadata } from '@access-admin/domain';
import type { ShownBranding } from '@access-admin/store';
import type { Context, MiddlewareHandler } from 'hono';
import type { PageEnv } from '../../env.ts';
import type { Form } from './form.ts';
import type { PageNeeds } from './page.ts';
import type { Speech } from './speech.ts';

/** What the checks that all pages share have found. */
export interface PageVariables {
  readonly tenant: string;
  /** From where the browser comes, to which tenant: by this its sign-ins are decided. */
  readonly source: { readonly tenant: string; readonly address: string; readonly country: string | null };
  /** The origin at which the browser shows the page: of the names of this machine the one that was used. */
  readonly origin: string;
  readonly metadata: UiMetadata;
  /** Undefined before the tenant is known. */
  readonly branding: ShownBranding | undefined;
  /** Whether a page of another window shows this one in a frame. */
  readonly isFramed: boolean;
  /** The fields of a POST; without fields for GET. */
  readonly form: Form;
  /** What the page that is answered needs; null for an answer that is no page. */
  readonly needs: PageNeeds | null;
  /** Writes in the language of the page. */
  readonly speech: Speech;
}

/** The context of a page that has passed the checks, which have set the variables above. */
export type PageContext = Context<PageEnv>;
export type PageMiddleware = MiddlewareHandler<PageEnv>;
