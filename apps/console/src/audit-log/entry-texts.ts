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
    erased: {
      one: 'A person was erased from this entry: {count} text is replaced by a pseudonym. The verification of the log shows whether a later entry attests it.',
      other:
        'A person was erased from this entry: {count} texts are replaced by a pseudonym. The verification of the log shows whether a later entry attests it.',
    },
    'erased.fields': 'Replaced',
    'erased.digest': 'Hash of what stood there',
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
    erased: {
      one: 'Aus diesem Eintrag wurde eine Person gelöscht: {count} Text ist durch ein Pseudonym ersetzt. Ob ein späterer Eintrag das bezeugt, zeigt die Prüfung des Protokolls.',
      other:
        'Aus diesem Eintrag wurde eine Person gelöscht: {count} Texte sind durch ein Pseudonym ersetzt. Ob ein späterer Eintrag das bezeugt, zeigt die Prüfung des Protokolls.',
    },
    'erased.fields': 'Ersetzt',
    'erased.digest': 'Hash dessen, was dort stand',
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
    erased: {
      other:
        'Một người đã được xóa khỏi mục này: {count} văn bản được thay bằng bí danh. Việc kiểm tra nhật ký cho biết có mục sau xác nhận điều này hay không.',
    },
    'erased.fields': 'Đã thay thế',
    'erased.digest': 'Mã băm của nội dung trước đó',
  },
});
