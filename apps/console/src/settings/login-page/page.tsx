import type { UiMetadata } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { uiMetadataQuery } from '../../service/settings/queries.ts';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextAreaField, TextField } from '../../ui/fields/text-field.tsx';
import { linesOf } from '../../ui/forms/changes.ts';
import { Form } from '../../ui/forms/form.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import { SaveBar } from '../../ui/forms/save-bar.tsx';
import { useDraft, type Versioned } from '../../ui/forms/use-draft.ts';
import columns from '../columns.module.css';
import { FramePreview } from './frame-preview.tsx';
import { Preview } from './preview.tsx';
import { LOGIN_PAGE_TEXTS } from './texts.ts';

/** What the login page shows, and who may frame it, with a preview. */
export function LoginPageSection() {
  const metadata = useQuery(uiMetadataQuery(useApi()));
  if (metadata.isError) return <Failure error={metadata.error} onRetry={metadata.refetch} />;
  return metadata.data !== undefined && <Editor metadata={metadata.data} />;
}

/** The values of the form: origins are one a line, and what is not set is empty. */
const formOf = ({ usernameLabel, usernameEmptyText, iFrameWhitelist }: UiMetadata) => ({
  usernameLabel: usernameLabel ?? '',
  usernameEmptyText: usernameEmptyText ?? '',
  iFrameWhitelist: (iFrameWhitelist ?? '').replaceAll(' ', '\n'),
});

const originsOf = (lines: string): string | null => linesOf(lines)?.join(' ') ?? null;

function Editor({ metadata: { value, etag } }: { readonly metadata: Versioned<UiMetadata> }) {
  const pageText = usePageTexts(LOGIN_PAGE_TEXTS);
  const api = useApi();
  const draft = useDraft({
    read: { value: formOf(value), etag },
    queryKey: uiMetadataQuery(api).queryKey,
    save: ({ iFrameWhitelist: lines, ...texts }, ifMatch) => {
      const set = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text === '' ? null : text]));
      const origins = lines === undefined ? {} : { iFrameWhitelist: originsOf(lines) };
      return api.uiMetadata.set({ ...set, ...origins }, { ifMatch });
    },
  });
  const labels = {
    usernameLabel: pageText('label'),
    usernameEmptyText: pageText('placeholder'),
    iFrameWhitelist: pageText('origins'),
  };
  const refusals = sortRefusals(draft.error, Object.keys(labels));
  const field = (name: keyof typeof labels) => ({
    label: labels[name],
    value: draft.value[name],
    errors: refusals.at[name],
    onChange: (text: string) => draft.change({ [name]: text }),
  });
  return (
    <div className={columns['columns']}>
      <Card title={pageText('shown')}>
        <Form label={pageText('shown')} onSubmit={draft.save}>
          <TextField {...field('usernameLabel')} hint={pageText('label.hint')} />
          <TextField {...field('usernameEmptyText')} hint={pageText('placeholder.hint')} />
          <TextAreaField isList {...field('iFrameWhitelist')} hint={pageText('origins.hint')} />
          <SaveBar draft={draft} labels={labels} refusals={refusals} />
        </Form>
      </Card>
      <div className={columns['stack']}>
        <Card title={pageText('preview')}>
          <Preview label={draft.value.usernameLabel} placeholder={draft.value.usernameEmptyText} />
        </Card>
        <Card title={pageText('framing')}>
          <FramePreview
            whitelist={originsOf(draft.value.iFrameWhitelist)}
            label={draft.value.usernameLabel}
            placeholder={draft.value.usernameEmptyText}
          />
        </Card>
      </div>
    </div>
  );
}
