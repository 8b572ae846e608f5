import type { EventType } from '@access-admin/domain';

/** The type of an event from its column. */
export const columnToEventType = (type: string): EventType => type as EventType;
