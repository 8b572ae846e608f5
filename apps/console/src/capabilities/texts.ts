import { definePageTexts } from '@access-admin/languages';

/** The texts of what a person may administer. */
export const CAPABILITY_TEXTS = definePageTexts({
  en: {
    title: 'Capabilities',
    none: 'No capability: this person administers nothing.',
    ORG_ADMIN: 'Administers everything: people, sign-in, policies, programs, imports and exports.',
    POLICY_ADMIN:
      'Manages policies and controls, predicts what access would violate, starts checks and reports, and decides on exceptions.',
    HELPDESK: 'Helps people who have no further rights to sign in: links, locks and lost credentials.',
    'das:ui-auditor': 'Reads violations, policies, exceptions, reports and the audit log, and changes nothing.',
    other: 'Kept for other services that read it. It permits nothing here.',
    others: {
      one: 'Capabilities for other services, {count} given',
      other: 'Capabilities for other services, {count} given',
    },
    'not.reserved': 'Reserved: only a program can give or take it, by an import.',
    'not.own': 'You cannot give it to yourself: another administrator has to.',
    own: 'You take this from yourself. Only another administrator can give it back to you.',
    last: 'An administrator who can sign in must remain: the service refuses to take ORG_ADMIN from the last one.',
    guard:
      'Nothing was changed: no administrator would be left who can sign in. Give ORG_ADMIN to another person first, and let that person sign in.',
  },
  de: {
    title: 'Befugnisse',
    none: 'Keine Befugnis: Diese Person verwaltet nichts.',
    ORG_ADMIN: 'Verwaltet alles: Personen, Anmeldung, Richtlinien, Programme, Importe und Exporte.',
    POLICY_ADMIN:
      'Pflegt Richtlinien und Kontrollen, prüft vorab, wogegen Zugriff verstieße, startet Prüfungen und Berichte und entscheidet über Ausnahmen.',
    HELPDESK: 'Hilft Personen ohne weitere Rechte bei der Anmeldung: Links, Sperren und verlorene Anmeldemittel.',
    'das:ui-auditor': 'Liest Verstöße, Richtlinien, Ausnahmen, Berichte und das Prüfprotokoll und ändert nichts.',
    other: 'Für andere Dienste, die sie lesen. Hier erlaubt sie nichts.',
    others: {
      one: 'Befugnisse für andere Dienste, {count} vergeben',
      other: 'Befugnisse für andere Dienste, {count} vergeben',
    },
    'not.reserved': 'Vorbehalten: Nur ein Programm kann sie mit einem Import geben oder entziehen.',
    'not.own': 'Sie können sie sich nicht selbst geben: Das muss ein anderer Administrator tun.',
    own: 'Sie entziehen sich dies selbst. Nur ein anderer Administrator kann es Ihnen zurückgeben.',
    last: 'Es muss jemand mit ORG_ADMIN bleiben, der sich anmelden kann: Der Dienst verweigert es, der letzten Person diese Befugnis zu entziehen.',
    guard:
      'Nichts wurde geändert: Niemand mit ORG_ADMIN könnte sich mehr anmelden. Geben Sie ORG_ADMIN zuerst einer anderen Person, die sich dann anmeldet.',
  },
  vi: {
    title: 'Quyền quản trị',
    none: 'Không có quyền quản trị nào.',
    ORG_ADMIN: 'Quản trị mọi thứ: người dùng, đăng nhập, chính sách, chương trình, nhập và xuất dữ liệu.',
    POLICY_ADMIN:
      'Duy trì chính sách và biện pháp kiểm soát, dự đoán quyền truy cập sẽ vi phạm gì, chạy kiểm tra và báo cáo, quyết định ngoại lệ.',
    HELPDESK: 'Giúp những người không có quyền quản trị khi đăng nhập: liên kết, khóa và phương tiện đăng nhập bị mất.',
    'das:ui-auditor': 'Đọc vi phạm, chính sách, ngoại lệ, báo cáo và nhật ký kiểm toán, không thay đổi gì.',
    other: 'Dành cho các dịch vụ khác đọc nó. Ở đây nó không cho phép gì.',
    others: { other: 'Quyền quản trị cho các dịch vụ khác, đã cấp {count}' },
    'not.reserved': 'Dành riêng: chỉ một chương trình có thể cấp hoặc thu hồi khi nhập dữ liệu.',
    'not.own': 'Bạn không thể tự cấp cho mình: một quản trị viên khác phải làm.',
    own: 'Bạn đang tự thu hồi quyền của mình. Chỉ quản trị viên khác có thể cấp lại cho bạn.',
    last: 'Phải còn một quản trị viên đăng nhập được: dịch vụ từ chối thu hồi ORG_ADMIN của người cuối cùng.',
    guard:
      'Chưa có gì thay đổi: sẽ không còn quản trị viên nào đăng nhập được. Hãy cấp ORG_ADMIN cho người khác trước và để người đó đăng nhập.',
  },
});
