import { useSpeech } from '../languages/context.tsx';
import { Heading } from '../ui/heading.tsx';

/** Stands for a page that fails, as where a part of it cannot be loaded because the service has another version by now. */
export function BrokenPage() {
  const { text } = useSpeech();
  return (
    <>
      <Heading title={text('failure.title')}>
        <p role="alert">{text('page.broken')}</p>
      </Heading>
      <p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {text('page.reload')}
        </button>
      </p>
    </>
  );
}
