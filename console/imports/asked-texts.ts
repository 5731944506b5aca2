import { textsOf } from '../language/language.ts'
import { rows as rowsAr } from './ar.ts'
import { rows as rowsDe } from './de.ts'
import { rows as rowsEn } from './en.ts'

/* What the screen of the questions says, and no other screen of imports loads. */

const en = {
  asks: {
    encoding: 'Which texts look right?',
    delimiter: 'What stands between the cells of a row?',
    name_order: 'What comes first in the full name of a new student?',
    guardian_name: 'Which name does a guardian get whose name is missing?',
    unnamedGuardians: (count: number) =>
      `In ${rowsEn(count)} a guardian has no name. What are new guardians called? Others keep their names.`,
    class_id: 'The file has no column for the class. Which class are the students in?',
    admission_number: 'Which number does the first student without one get?',
    someNumbers: (count: number) =>
      `In ${rowsEn(count)} of the file there is no number. Which number does the first new student get?`,
    noNumbers: 'No student in this file has a number. Which number does the first of them get?',
    match: 'By what do we find the students who are there already?',
    clear: 'Does the file use a sign, such as -, to delete a value?',
    column: (heading: string) => `What does the column ${heading} hold?`,
    date: (heading: string) => `How are the dates in ${heading} written?`,
    years: (heading: string) => `Years in ${heading} have two digits. Which years are meant?`,
    class: (label: string) => `Which class is meant by ${label}?`,
    noClass: (label: string) => `No class that you see is called ${label}. Which one is meant?`,
  },
  years: (first: number, last: number) => `${first} to ${last}`,
  noYears: 'None of these: I correct the file, and until then these rows are not possible',
  numbersThen: (second: string, third: string) => `Then ${second}, ${third} …`,
  skipNumbers: 'Skip: new students without a number are not imported',
  endInDigits: 'End the number with digits, such as 0001.',
  guardianWord: 'Guardian',
}

type AskedTexts = typeof en

const de: AskedTexts = {
  asks: {
    encoding: 'Welche Texte sehen richtig aus?',
    delimiter: 'Was steht zwischen den Zellen einer Zeile?',
    name_order: 'Was steht im vollständigen Namen neuer Kinder vorn?',
    guardian_name: 'Welchen Namen bekommen Erziehungsberechtigte, deren Name fehlt?',
    unnamedGuardians: (count) =>
      `In ${rowsDe(count)} fehlt der Name von Erziehungsberechtigten. Wie heißen neue? Wer schon da ist, behält den Namen.`,
    class_id: 'Die Datei hat keine Spalte für die Klasse. In welcher Klasse sind die Kinder?',
    admission_number: 'Welche Nummer bekommt das erste Kind, das keine hat?',
    someNumbers: (count) =>
      `In ${rowsDe(count)} der Datei fehlt die Nummer. Welche bekommt das erste neue Kind?`,
    noNumbers: 'Kein Kind in dieser Datei hat eine Nummer. Welche Nummer bekommt das erste von ihnen?',
    match: 'Woran erkennen wir, wer schon da ist?',
    clear: 'Gibt es in der Datei ein Zeichen, etwa -, das einen Wert löscht?',
    column: (heading) => `Was steht in der Spalte ${heading}?`,
    date: (heading) => `Wie sind die Datumsangaben in ${heading} geschrieben?`,
    years: (heading) => `Jahre in ${heading} haben nur zwei Ziffern. Welche Jahre sind gemeint?`,
    class: (label) => `Welche Klasse ist mit ${label} gemeint?`,
    noClass: (label) => `Eine Klasse ${label} gibt es nicht, oder nicht für Sie. Welche ist gemeint?`,
  },
  years: (first, last) => `${first} bis ${last}`,
  noYears: 'Keine davon: Ich berichtige die Datei, bis dahin sind diese Zeilen fehlerhaft',
  numbersThen: (second, third) => `Danach ${second}, ${third} …`,
  skipNumbers: 'Überspringen: Neue Kinder ohne Nummer werden nicht eingelesen',
  endInDigits: 'Die Nummer muss mit Ziffern enden, etwa 0001.',
  guardianWord: 'Elternteil',
}

const ar: AskedTexts = {
  asks: {
    encoding: 'أي النصوص تبدو صحيحة؟',
    delimiter: 'ما الذي يفصل بين خلايا السطر؟',
    name_order: 'ما الذي يأتي أولًا في الاسم الكامل للطالب الجديد؟',
    guardian_name: 'أي اسم يُكتب لوليّ الأمر الذي لا اسم له؟',
    unnamedGuardians: (count) =>
      `وليّ أمر بلا اسم: ${rowsAr(count)}. ما اسم وليّ الأمر الجديد؟ ويبقى اسم المسجَّل كما هو.`,
    class_id: 'لا عمود للصف الدراسي في الملف. في أي صف هؤلاء الطلاب؟',
    admission_number: 'ما الرقم الذي يأخذه أول طالب بلا رقم؟',
    someNumbers: (count) => `في الملف بلا رقم: ${rowsAr(count)}. ما الرقم الذي يأخذه أول طالب جديد؟`,
    noNumbers: 'لا رقم لأي طالب في هذا الملف. ما الرقم الذي يأخذه أولهم؟',
    match: 'بماذا نعرف من هو موجود؟',
    clear: 'هل تُستعمل في الملف علامة، مثل -، لحذف قيمة مسجّلة؟',
    column: (heading) => `ماذا يحوي العمود ${heading}؟`,
    date: (heading) => `كيف كُتبت التواريخ في ${heading}؟`,
    years: (heading) => `في ${heading} سنوات مكتوبة برقمين فقط. أي سنوات هي المقصودة؟`,
    class: (label) => `أي صف هو المقصود بالاسم ${label}؟`,
    noClass: (label) => `لا يوجد بين الصفوف التي تراها صف اسمه ${label}. أي صف هو المقصود؟`,
  },
  years: (first, last) => `من ${first} إلى ${last}`,
  noYears: 'ليس أيًّا منها: سأصحّح الملف، وحتى ذلك الحين هذه الأسطر غير ممكنة',
  numbersThen: (second, third) => `ثم ${second}، ${third} …`,
  skipNumbers: 'تخطٍّ: لا يُستورد طالب جديد بلا رقم',
  endInDigits: 'يجب أن ينتهي الرقم بأرقام مثل 0001.',
  guardianWord: 'وليّ الأمر',
}

export const askedTexts = textsOf<AskedTexts>({ en, de, ar })
