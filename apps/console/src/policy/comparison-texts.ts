import { definePageTexts } from '@access-admin/languages';

/** The texts of two versions side by side. */
export const COMPARISON_TEXTS = definePageTexts({
  en: {
    conflict: 'Somebody else has saved this policy since you began',
    'conflict.text': 'Nothing of yours is lost. Compare both versions, then decide.',
    'conflict.theirs': 'Saved by somebody else',
    'conflict.mine': 'Yours',
    'conflict.take': 'Take theirs',
    'conflict.rebase': 'Apply mine on top',
    'changed.both': 'changed by both: yours would replace theirs',
    'changed.theirs': 'changed by somebody else: stays',
    'changed.mine': 'changed by you',
    nothing: 'Nothing',
  },
  de: {
    conflict: 'Jemand anderes hat diese Richtlinie gespeichert, seit Sie begonnen haben',
    'conflict.text': 'Von Ihrer Arbeit ist nichts verloren. Vergleichen Sie beide Fassungen und entscheiden Sie dann.',
    'conflict.theirs': 'Von jemand anderem gespeichert',
    'conflict.mine': 'Ihre Fassung',
    'conflict.take': 'Die andere übernehmen',
    'conflict.rebase': 'Meine darüberlegen',
    'changed.both': 'von beiden geändert: Ihre Fassung würde die andere ersetzen',
    'changed.theirs': 'von jemand anderem geändert: bleibt so',
    'changed.mine': 'von Ihnen geändert',
    nothing: 'Nichts',
  },
  vi: {
    conflict: 'Người khác đã lưu chính sách này sau khi bạn bắt đầu',
    'conflict.text': 'Bạn không mất gì cả. Hãy so sánh hai phiên bản rồi quyết định.',
    'conflict.theirs': 'Người khác đã lưu',
    'conflict.mine': 'Của bạn',
    'conflict.take': 'Lấy bản của họ',
    'conflict.rebase': 'Áp thay đổi của tôi lên trên',
    'changed.both': 'cả hai đã thay đổi: bản của bạn sẽ thay bản của họ',
    'changed.theirs': 'người khác đã thay đổi: được giữ',
    'changed.mine': 'bạn đã thay đổi',
    nothing: 'Không có',
  },
});
