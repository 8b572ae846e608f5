import { definePageTexts } from '@access-admin/languages';

/** The texts of this page. */
export const MATRIX_TEXTS = definePageTexts({
  en: {
    title: 'Matrix',
    about: {
      one: '{count} pair of sides that a policy keeps apart',
      other: '{count} pairs of sides that policies keep apart',
    },
    legend:
      'Each side has a row and a column, which meet at its name. A cell with a solid frame is a pair that a policy keeps apart, and its number counts the open violations. Choose a cell to see its policies.',
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
    legend:
      'Jede Seite hat eine Zeile und eine Spalte, die sich bei ihrem Namen treffen. Ein Feld mit durchgezogenem Rahmen ist ein Paar, das eine Richtlinie trennt; seine Zahl zählt die offenen Verstöße. Wählen Sie ein Feld, um seine Richtlinien zu sehen.',
    none: 'Keine Richtlinie ist in Kraft.',
    'none.text': 'Paare von Seiten erscheinen hier, sobald eine Richtlinie in Kraft ist.',
    picture: 'Seiten gegen Seiten',
    table: 'Richtlinien mit den meisten offenen Verstößen',
    chosen: 'Richtlinien des gewählten Paars',
    sides: 'Seiten',
    all: 'Alle Richtlinien',
  },
  vi: {
    title: 'Ma trận',
    about: { other: '{count} cặp bên mà các chính sách tách riêng' },
    legend:
      'Mỗi bên có một hàng và một cột, gặp nhau tại tên của bên đó. Ô có viền liền là một cặp mà chính sách tách riêng; con số trong ô là số vi phạm đang mở. Hãy chọn một ô để xem các chính sách của ô đó.',
    none: 'Không có chính sách nào đang áp dụng.',
    'none.text': 'Các cặp bên xuất hiện tại đây ngay khi một chính sách được áp dụng.',
    picture: 'Các bên đối chiếu với nhau',
    table: 'Chính sách có nhiều vi phạm đang mở nhất',
    chosen: 'Chính sách của cặp đã chọn',
    sides: 'Các bên',
    all: 'Tất cả chính sách',
  },
});
