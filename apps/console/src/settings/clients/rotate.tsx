import type { OAuthClient, OAuthClientWithSecret } from '@access-admin/client';
import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { type ClientAccess, withSecret } from '../../service/settings/clients.ts';
import { CheckField } from '../../ui/fields/check-field.tsx';
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx';
import { CLIENT_TEXTS } from './texts.ts';

export interface RotateProps {
  readonly client: OAuthClient;
  readonly access: ClientAccess;
  /** The client with its new secret, and whether the old one has ended. */
  readonly onRotated: (client: OAuthClientWithSecret, hasEnded: boolean) => void;
  /** This page goes on with the new secret of the client that it uses itself. */
  readonly onAccess: (access: ClientAccess) => void;
}

/** Asks for another secret of a client. */
export function Rotate({ client: { id, name }, access, onRotated, onAccess }: RotateProps) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  const [endsNow, setEndsNow] = useState(false);
  const rotate = async () => {
    const rotated = await access.api.oauthClients.rotateSecret(id, endsNow ? { overlapHours: 0 } : {});
    onRotated(rotated, endsNow);
    if (id === access.clientId) onAccess(withSecret(access, rotated.secret));
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
