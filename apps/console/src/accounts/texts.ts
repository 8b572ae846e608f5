import { definePageTexts } from '@access-admin/languages';

/** The texts of what an account grants. */
export const GRANTS_TEXTS = definePageTexts({
  en: {
    none: 'Nothing',
    from: 'from {start}',
    until: 'until {end}',
    both: '{start} to {end}',
    more: 'and {count} more',
  },
  de: {
    none: 'Nichts',
    from: 'ab {start}',
    until: 'bis {end}',
    both: '{start} bis {end}',
    more: 'und {count} weitere',
  },
  vi: {
    none: 'Không có gì',
    from: 'từ {start}',
    until: 'đến {end}',
    both: '{start} đến {end}',
    more: 'và {count} mục khác',
  },
});
