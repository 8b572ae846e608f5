import { usePageTexts } from '../languages/context.tsx';
import { TextAreaField } from '../ui/fields/text-field.tsx';
import { EXCEPTION_TEXTS } from './texts.ts';

/** The most characters of a comment. */
const COMMENT_MAX = 1000;

export interface CommentFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The field for the reason of a decision, which the exception shows. */
export function CommentField({ value, onChange }: CommentFieldProps) {
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  return <TextAreaField label={pageText('comment')} value={value} lengthMax={COMMENT_MAX} onChange={onChange} />;
}

/** The comment of a decision; nothing where none is written. */
export const commentOf = (words: string): { readonly comment?: string } =>
  words.trim() === '' ? {} : { comment: words.trim() };
