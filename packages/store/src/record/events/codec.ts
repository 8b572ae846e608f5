import type { EventType, SodCheckState } from '@access-admin/domain';

/** The type of an event from its column. */
export const columnToEventType = (type: string): EventType => type as EventType;

/** The state of a check from its column, which events of completed checks read, too. */
export const columnToCheckState = (state: string): SodCheckState => state as SodCheckState;
