import { definePageTexts } from '../languages/page-texts.ts';

/** The texts of this page. */
export const VIOLATIONS_TEXTS = definePageTexts({
  en: {
    'sort.level': 'Most severe first',
    export: 'Export as CSV',
    'export.failed': 'The export failed',
    none: 'No violation meets these filters.',
    'none.text': 'Choose another level or status, or clear the search.',
    search: 'Name of the person contains',
    'search.hint': 'Three characters or more',
    'policy.clear': 'All policies',
    'target.clear': 'All people',
  },
  de: {
    'sort.level': 'Schwerste zuerst',
    export: 'Als CSV exportieren',
    'export.failed': 'Der Export ist fehlgeschlagen',
    none: 'Kein Verstoß passt zu diesen Filtern.',
    'none.text': 'Wählen Sie eine andere Stufe oder einen anderen Status, oder leeren Sie die Suche.',
    search: 'Name der Person enthält',
    'search.hint': 'Mindestens drei Zeichen',
    'policy.clear': 'Alle Richtlinien',
    'target.clear': 'Alle Personen',
  },
  vi: {
    'sort.level': 'Nghiêm trọng nhất trước',
    export: 'Xuất CSV',
    'export.failed': 'Không xuất được danh sách',
    none: 'Không có vi phạm nào khớp các bộ lọc này.',
    'none.text': 'Hãy chọn mức độ hoặc trạng thái khác, hoặc xóa ô tìm kiếm.',
    search: 'Tên người có chứa',
    'search.hint': 'Ít nhất ba ký tự',
    'policy.clear': 'Tất cả chính sách',
    'target.clear': 'Mọi người',
  },
});
