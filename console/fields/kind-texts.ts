import { textsOf } from '../language/language.ts'

const en = {
  kind: 'Kind',
  kindStays: 'The kind cannot be changed later.',
  sensitive: 'Sensitive',
  sensitiveHint:
    'Only who may see birth dates, addresses and guardians sees it. A field with values stays sensitive.',
  kinds: {
    text: 'Text, one line',
    text_in_lines: 'Text, several lines',
    number: 'Number',
    date: 'Date',
    one_of: 'One of several choices',
    several_of: 'Several of several choices',
    yes_no: 'Yes or no',
  },
}

type KindTexts = typeof en

const de: KindTexts = {
  kind: 'Art',
  kindStays: 'Die Art lässt sich später nicht ändern.',
  sensitive: 'Vertraulich',
  sensitiveHint:
    'Nur wer Geburtsdaten, Adressen und Eltern sehen darf, sieht es. Sobald Werte darin stehen, bleibt es vertraulich.',
  kinds: {
    text: 'Text, eine Zeile',
    text_in_lines: 'Text, mehrere Zeilen',
    number: 'Zahl',
    date: 'Datum',
    one_of: 'Eines aus einer Auswahl',
    several_of: 'Mehrere aus einer Auswahl',
    yes_no: 'Ja oder nein',
  },
}

const ar: KindTexts = {
  kind: 'النوع',
  kindStays: 'لا يمكن تغيير النوع لاحقًا.',
  sensitive: 'حساس',
  sensitiveHint:
    'لا يراه إلا من يحق له رؤية تواريخ الميلاد والعناوين وأولياء الأمور. والحقل الذي فيه قيم يبقى حساسًا.',
  kinds: {
    text: 'نص من سطر واحد',
    text_in_lines: 'نص من عدة أسطر',
    number: 'عدد',
    date: 'تاريخ',
    one_of: 'خيار واحد من عدة خيارات',
    several_of: 'عدة خيارات',
    yes_no: 'نعم أو لا',
  },
}

/** What says of which kind a field is, and that it is sensitive. An import loads them too, without the others. */
export const kindTexts = textsOf<KindTexts>({ en, de, ar })
