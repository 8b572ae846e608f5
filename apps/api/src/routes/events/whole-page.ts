import type { NumberedEvent } from '@access-admin/domain';
import type { EventPlace, EventPlaces, EventStore } from '@access-admin/store';
import { Unavailable } from '../../http/unavailable.ts';

/**
 * The events at the places that were found. Null if the first of them has been removed since; events are removed from the
 * oldest on. If others are removed while they are read, the read throws, so that none is missed unnoticed.
 */
export async function readWhole(
  events: Pick<EventStore, 'readAt'>,
  tenant: string,
  { places }: Pick<EventPlaces, 'places'>,
): Promise<AsyncIterable<NumberedEvent> | null> {
  const rest = events.readAt(tenant, places)[Symbol.asyncIterator]();
  const first = await rest.next();
  if (!first.done && first.value.sequence === places[0]?.sequence) return allOf(first.value, rest, places);
  await rest.return?.();
  return null;
}

async function* allOf(
  first: NumberedEvent,
  rest: AsyncIterator<NumberedEvent>,
  places: readonly EventPlace[],
): AsyncGenerator<NumberedEvent> {
  try {
    yield first;
    for (const { sequence } of places.slice(1)) {
      const next = await rest.next();
      if (next.done || next.value.sequence !== sequence)
        throw new Unavailable('EventsRemoved', 'Events of a page were removed while it was sent.');
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}
