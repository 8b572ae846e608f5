import type { OAuthClientWithSecret } from '@access-admin/client';
import { usePageTexts } from '../../languages/context.tsx';
import { Secret } from '../../ui/forms/secret.tsx';
import { CLIENT_TEXTS } from './texts.ts';

export interface NewSecretProps {
  readonly client: OAuthClientWithSecret;
  readonly title: string;
  readonly text: string;
  readonly onDone: () => void;
}

/** The secret of a client, shown once, with the id that it belongs to. */
export function NewSecret({ client: { id, secret }, ...shown }: NewSecretProps) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  return <Secret {...shown} values={{ [pageText('id')]: id, [pageText('secret')]: secret }} />;
}
