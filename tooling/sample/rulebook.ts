import { CLOSING_AND_TREASURY } from './rulebook/closing-and-treasury.ts';
import { INFORMATION_TECHNOLOGY } from './rulebook/information-technology.ts';
import { ORDER_TO_CASH } from './rulebook/order-to-cash.ts';
import { PEOPLE } from './rulebook/people.ts';
import type { PolicyRow } from './rulebook/policy-row.ts';
import { PURCHASE_TO_PAY } from './rulebook/purchase-to-pay.ts';

/** The rulebook of the sample company. */
export const POLICIES: readonly PolicyRow[] = [
  ...PURCHASE_TO_PAY,
  ...ORDER_TO_CASH,
  ...CLOSING_AND_TREASURY,
  ...PEOPLE,
  ...INFORMATION_TECHNOLOGY,
];
