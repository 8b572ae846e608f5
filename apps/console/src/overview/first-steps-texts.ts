import { definePageTexts } from '@access-admin/languages';

/** The texts of what there is to do first. */
export const FIRST_STEPS_TEXTS = definePageTexts({
  en: {
    title: 'Begin here',
    text: 'This service has no policies yet. Three steps, and violations show on this page.',
    import: 'Bring in people and their access',
    'import.text': 'A program does it: the command “access-admin import”, or a call of the API.',
    'import.link': 'Reference of the API',
    policy: 'Say which access nobody may hold together',
    'policy.text': 'A policy has two sides, such as creating vendors and paying them.',
    'policy.link': 'New policy',
    invite: 'Invite a colleague',
    'invite.text': 'One asks for an exception, another one approves it.',
    'invite.link': 'Invite a person',
  },
  de: {
    title: 'So beginnen Sie',
    text: 'Dieser Dienst hat noch keine Richtlinien. Drei Schritte, und Verstöße erscheinen auf dieser Seite.',
    import: 'Personen und ihren Zugriff einspielen',
    'import.text': 'Das tut ein Programm: der Befehl „access-admin import“ oder ein Aufruf der API.',
    'import.link': 'Referenz der API',
    policy: 'Sagen, welchen Zugriff niemand zugleich haben darf',
    'policy.text': 'Eine Richtlinie hat zwei Seiten, etwa Lieferanten anlegen und sie bezahlen.',
    'policy.link': 'Neue Richtlinie',
    invite: 'Eine Kollegin oder einen Kollegen einladen',
    'invite.text': 'Eine Person beantragt eine Ausnahme, eine andere genehmigt sie.',
    'invite.link': 'Person einladen',
  },
  vi: {
    title: 'Bắt đầu từ đây',
    text: 'Dịch vụ này chưa có chính sách nào. Sau ba bước, vi phạm sẽ hiện trên trang này.',
    import: 'Đưa người dùng và quyền truy cập của họ vào',
    'import.text': 'Một chương trình làm việc này: lệnh “access-admin import” hoặc một lời gọi API.',
    'import.link': 'Tài liệu tham khảo API',
    policy: 'Quy định những quyền mà không ai được có cùng lúc',
    'policy.text': 'Chính sách có hai phía, chẳng hạn tạo nhà cung cấp và thanh toán cho họ.',
    'policy.link': 'Chính sách mới',
    invite: 'Mời một đồng nghiệp',
    'invite.text': 'Một người yêu cầu ngoại lệ, người khác phê duyệt.',
    'invite.link': 'Mời một người',
  },
});
