import { definePageTexts } from '@access-admin/languages';

/** The texts of an entry in full. */
export const ENTRY_TEXTS = definePageTexts({
  en: {
    ids: 'Ids and operation',
    'actor.client': 'Client',
    'actor.person': 'Person',
    'entry.none': 'The log has no such entry.',
    'entry.before': 'Previous entry',
    'entry.after': 'Next entry',
    refusals: { one: '{count} refused request', other: '{count} refused requests' },
    tracking: 'Request',
    hash: 'Hash',
    'hash.before': 'Previous hash',
    history: 'History of this resource',
  },
  de: {
    ids: 'Ids und Operation',
    'actor.client': 'Client',
    'actor.person': 'Person',
    'entry.none': 'Das Protokoll hat keinen solchen Eintrag.',
    'entry.before': 'Voriger Eintrag',
    'entry.after': 'Nächster Eintrag',
    refusals: { one: '{count} verweigerte Anfrage', other: '{count} verweigerte Anfragen' },
    tracking: 'Anfrage',
    hash: 'Hash',
    'hash.before': 'Voriger Hash',
    history: 'Verlauf dieser Ressource',
  },
  vi: {
    ids: 'Mã và thao tác',
    'actor.client': 'Máy khách',
    'actor.person': 'Người',
    'entry.none': 'Nhật ký không có mục này.',
    'entry.before': 'Mục trước',
    'entry.after': 'Mục sau',
    refusals: { other: '{count} yêu cầu bị từ chối' },
    tracking: 'Yêu cầu',
    hash: 'Mã băm',
    'hash.before': 'Mã băm trước',
    history: 'Lịch sử của tài nguyên này',
  },
});
