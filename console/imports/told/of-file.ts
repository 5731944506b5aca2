/*
 * What is wrong with a row that only a file can have. The file of refused rows says it, which the server writes: no
 * screen loads it.
 */

type Code =
  | 'beyond_header'
  | 'cell_error'
  | 'incomplete_address'
  | 'no_letters'
  | 'other_class'
  | 'other_student'
  | 'several_students'
  | 'undecided_column'
  | 'unsure_guardian'

export const ofFile: Readonly<Record<'en' | 'de' | 'ar', Readonly<Record<Code, string>>>> = {
  en: {
    beyond_header:
      'The row has more cells than there are headings. Put a cell that holds a delimiter in quotation marks.',
    cell_error: 'The cell holds an error of the spreadsheet. Write the value.',
    incomplete_address:
      'This is another address than the one in the record, and parts of it are blank. Fill in all parts, or leave the columns of the address out.',
    no_letters: 'The name has no letter. Is this a row of totals?',
    other_class: 'The class and class_id are not the same class.',
    other_student: 'This id is that of another student than the row.',
    several_students: 'These belong to more than one student.',
    undecided_column: 'Nobody has said what this column holds.',
    unsure_guardian:
      'This may be one of several guardians. Write the name as the record has it, or leave the column out.',
  },
  de: {
    beyond_header:
      'Die Zeile hat mehr Zellen, als es Überschriften gibt. Setzen Sie eine Zelle mit einem Trennzeichen in Anführungszeichen.',
    cell_error: 'In der Zelle steht ein Fehler der Tabellenkalkulation. Schreiben Sie den Wert.',
    incomplete_address:
      'Das ist eine andere Adresse als die eingetragene, und Teile davon fehlen. Füllen Sie alle Teile aus, oder lassen Sie die Spalten der Adresse weg.',
    no_letters: 'Der Name hat keinen Buchstaben. Ist das eine Zeile mit Summen?',
    other_class: 'Die Klasse und class_id meinen nicht dieselbe Klasse.',
    other_student: 'Diese id hat ein anderes Kind als das dieser Zeile.',
    several_students: 'Das gehört zu mehr als einem Kind.',
    undecided_column: 'Niemand hat gesagt, was diese Spalte bedeutet.',
    unsure_guardian:
      'Es ist unklar, wer von den Erziehungsberechtigten gemeint ist. Schreiben Sie den Namen, wie er eingetragen ist, oder lassen Sie die Spalte weg.',
  },
  ar: {
    beyond_header: 'خلايا هذا السطر أكثر من العناوين. ضع الخلية التي فيها فاصل بين علامتي اقتباس.',
    cell_error: 'في الخلية خطأ من برنامج الجداول. اكتب القيمة.',
    incomplete_address:
      'هذا العنوان غير العنوان المسجّل، وبعض أجزائه فارغة. املأ كل الأجزاء أو استبعد أعمدة العنوان.',
    no_letters: 'ليس في الاسم أي حرف. هل هذا سطر مجموع؟',
    other_class: 'الصف و class_id لا يدلان على صف واحد.',
    other_student: 'هذا المعرّف (id) لطالب غير طالب هذا السطر.',
    several_students: 'هذا لأكثر من طالب.',
    undecided_column: 'لم يُحدَّد ما يعنيه هذا العمود.',
    unsure_guardian: 'قد يكون هذا واحدًا من عدة أولياء أمور. اكتب الاسم كما هو مسجّل أو استبعد العمود.',
  },
}
