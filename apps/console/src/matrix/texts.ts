import { definePageTexts } from '../languages/page-texts.ts';

/** The texts of this page. */
export const MATRIX_TEXTS = definePageTexts({
  en: {
    title: 'Matrix',
    about: {
      one: '{count} pair of sides that a policy keeps apart',
      other: '{count} pairs of sides that policies keep apart',
    },
    none: 'No policy is enforced.',
    'none.text': 'Pairs of sides appear here as soon as a policy is enforced.',
    picture: 'Sides against sides',
    table: 'Policies with most open violations',
    chosen: 'Policies of the chosen pair',
    sides: 'Sides',
    all: 'All policies',
  },
  de: {
    title: 'Matrix',
    about: {
      one: '{count} Paar von Seiten, das eine Richtlinie trennt',
      other: '{count} Paare von Seiten, die Richtlinien trennen',
    },
    none: 'Keine Richtlinie wird durchgesetzt.',
    'none.text': 'Paare von Seiten erscheinen hier, sobald eine Richtlinie durchgesetzt wird.',
    picture: 'Seiten gegen Seiten',
    table: 'Richtlinien mit den meisten offenen Verstößen',
    chosen: 'Richtlinien des gewählten Paars',
    sides: 'Seiten',
    all: 'Alle Richtlinien',
  },
  vi: {
    title: 'Ma trận',
    about: { other: '{count} cặp phía mà các chính sách phải tách riêng' },
    none: 'Không có chính sách nào đang áp dụng.',
    'none.text': 'Các cặp phía xuất hiện tại đây ngay khi một chính sách được áp dụng.',
    picture: 'Các phía đối chiếu với nhau',
    table: 'Chính sách có nhiều vi phạm đang mở nhất',
    chosen: 'Chính sách của cặp đã chọn',
    sides: 'Các phía',
    all: 'Tất cả chính sách',
  },
});
