import type { OAuthClient, OAuthClientWithSecret } from '@access-admin/client';
import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { CheckField } from '../../ui/fields/check-field.tsx';
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx';
import { CLIENT_TEXTS } from './texts.ts';

export interface RotateProps {
  readonly client: OAuthClient;
  /** The client with its new secret, and whether the old one has ended. */
  readonly onRotated: (client: OAuthClientWithSecret, hasEnded: boolean) => void;
}

/** Asks for another secret of a client. */
export function Rotate({ client: { id, name }, onRotated }: RotateProps) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  const api = useApi();
  const [endsNow, setEndsNow] = useState(false);
  const rotate = async () => {
    const rotated = await api.oauthClients.rotateSecret(id, endsNow ? { overlapHours: 0 } : {});
    onRotated(rotated, endsNow);
  };
  return (
    <ConfirmButton
      label={pageText('rotate')}
      of={name}
      question={pageText('rotate.question', { name })}
      fields={<CheckField label={pageText('rotate.now')} checked={endsNow} onChange={setEndsNow} />}
      onConfirm={rotate}
    >
      {pageText(endsNow ? 'rotate.ends' : 'rotate.text')}
    </ConfirmButton>
  );
}
