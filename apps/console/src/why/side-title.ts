import { usePageTexts } from '../languages/context.tsx';
import { WHY_TEXTS } from './texts.ts';

/** The names by which the service tells the sides of a policy apart that names none. */
const UNNAMED: readonly (string | null)[] = [null, '', 'left', 'right'];

export const isNamed = (name: string | null): name is string => !UNNAMED.includes(name);

/** Writes the title of a side: its number, and its name where it has one. */
export function useSideTitle(): (name: string | null, at: number) => string {
  const pageText = usePageTexts(WHY_TEXTS);
  return (name, at) => {
    const side = pageText('side', { count: at + 1 });
    return isNamed(name) ? `${side}: ${name}` : side;
  };
}
