import { isolated } from '../../language/isolated.ts'
import { numberIn } from '../../language/plurals.ts'
import { rows as rowsIn } from '../ar.ts'
import type { ToldTexts, WarningParams } from './codes.ts'

const rows = ({ rows = 0 }: WarningParams) => rowsIn(rows)
const place = ({ sheet }: WarningParams) => (sheet === undefined ? 'الملف' : `الورقة «${isolated(sheet)}»`)
const known = ({ known = 0 }: WarningParams) => (known === 0 ? '' : ` منهم مسجّلون برقم آخر: ${known}.`)
const column = ({ heading = '' }: WarningParams) => `العمود «${isolated(heading)}»`
const saveAs = 'احفظه بصيغة ‎.xlsx أو CSV.'
const saveAnew = 'افتحه في برنامج جداول واحفظه من جديد ثم أرسله.'

const kept: Readonly<Record<string, string>> = {
  problem: 'في أول عمود من ملف الأسطر المرفوضة أسباب رفضها. إن كان العمود لك فأعطه عنوانًا آخر.',
  created_at: 'يسجّل الخادم نفسه متى أُنشئ كل قيد.',
  updated_at: 'يسجّل الخادم نفسه متى غُيّر كل قيد آخر مرة.',
}

export const ar: ToldTexts = {
  failures: {
    empty_file: 'الملف فارغ.',
    encrypted_file: 'الملف محمي بكلمة مرور. احفظه من دونها.',
    old_excel_file: `هذا ملف من Excel 97 إلى 2003. ${saveAs}`,
    binary_workbook: `هذا ملف Excel ثنائي. ${saveAs}`,
    open_document: `هذا ملف LibreOffice. ${saveAs}`,
    not_a_table: `ليس هذا جدولًا. ${saveAs}`,
    damaged_file: `الملف غير كامل. ${saveAnew}`,
    doctype: `الملف ليس مكتوبًا كما تُكتب الجداول. ${saveAnew}`,
    external_links: 'يأخذ الجدول قيمًا من ملفات أخرى. احفظه بصيغة CSV أو أزل الروابط.',
    formula_without_value: `لم تُحسب إحدى الصيغ قط. ${saveAnew}`,
    too_large: 'في الملف أكثر مما يُقرأ. احفظ الأسطر وحدها بصيغة CSV.',
    too_many_rows: 'أسطر الملف كثيرة جدًا. قسّمه.',
    too_many_columns: 'أعمدة الملف كثيرة جدًا.',
    cell_too_long: 'إحدى الخلايا طويلة جدًا. ربما لم تُغلق علامة اقتباس.',
    too_many_marks: 'في إحدى الخلايا علامات تشكيل على حرف واحد أكثر مما في أي كتابة.',
    row_too_long: 'أحد الأسطر طويل جدًا. ربما لم تُغلق علامة اقتباس.',
    invalid_csv: 'علامات الاقتباس غير متوافقة.',
    invalid_encoding: 'ترميز الملف غير معروف. احفظه بترميز UTF-8 أو بصيغة ‎.xlsx.',
    header_not_found:
      'ليس في الأسطر الأولى عنوان معروف. سمِّ الأعمدة في السطر الأول، أو استعمل الملف المعدّ للتعبئة.',
    no_rows: 'لا شيء تحت العناوين.',
    no_match_column: 'الملف لتغيير الطلاب الموجودين، وليس فيه عمود يُعرفون به، مثل الرقم.',
    upload_cut: 'لم يصل الملف كاملًا. أرسله مرة أخرى.',
    import_forgotten: 'لم يعمل عليه أحد مدة 30 يومًا، فمُحيت أسطره. أرسل الملف من جديد.',
    import_given_up: 'حاول الخادم مرات ولم يصل إلى نهاية. راجع الملف أو قسّمه.',
    internal_error: 'حدث خطأ في الخادم، وفي سجله تفصيله.',
    interrupted: 'أُنهي الأمر قبل أن يُكتب كل شيء.',
    permission_denied: 'لم يعد يحق للحساب الذي بدأ الاستيراد أن يفعل هذا.',
    row_not_applied: 'تعذّرت كتابة أحد الأسطر لأن شيئًا تغير بعد المراجعة.',
  },
  rowEnds: {
    cell_changed: 'كان أحد الأسطر سيغيّر ما غيّره شخص آخر بعد المراجعة.',
    newcomer: 'قد يكون أحد الأسطر لطالب سُجّل بعد المراجعة.',
    student_gone: 'طالب أحد الأسطر لم يعد موجودًا.',
    match_lost: 'لم يعد لدى طالب أحد الأسطر الرقم الذي كان يُعرف به.',
    value_refused: 'لم يعد أحد حقول المدرسة يقبل قيمة في أحد الأسطر.',
    permission_lost: 'لم تعد لدى الحساب الصلاحية اللازمة لصف أحد الأسطر.',
    class_closed: 'صف أحد الأسطر لم يعد يقبل طلابًا.',
  },
  where: ({ row, sheet, cell }) =>
    `${cell === undefined ? `السطر ${row}` : `الخلية ${cell}`}${sheet === undefined ? '' : ` من الورقة «${isolated(sheet)}»`}.`,
  most: (limit) => `الحد الأقصى ${numberIn('ar', limit)}.`,
  warnings: {
    sheet_left_out: (p) =>
      `${place(p)}: العناوين مختلفة أو غير موجودة، ولا استيراد منها${p.rows ? ` (${rows(p)}). إن كان فيها طلاب أو صفوف فأرسل الورقة في ملف مستقل` : ''}.`,
    rows_above_header: (p) => `${place(p)}: العناوين في السطر ${p.row}، ويُستبعد ما فوقها.`,
    hidden_sheet: (p) => `${place(p)}: محتوى مخفي يُستورد: ${rows(p)}.`,
    hidden_rows: (p) => `${place(p)}: أسطر مخفية تُستورد: ${rows(p)}.`,
    blank_rows: (p) => `أسطر فارغة تُستبعد: ${rows(p)}.`,
    other_table: (p) =>
      `${place(p)}: عناوين أخرى في السطر ${p.row}، ويُستبعد ما بدءًا منه: ${rows(p)}. أرسله في ملف مستقل.`,
    repeated_headers: (p) => `أسطر تكرّر العناوين وتُستبعد: ${rows(p)}.`,
    empty_column: (p) => `${column(p)} غير معروف ولا قيمة فيه، ويُستبعد.`,
    kept_by_server: (p) => `${column(p)} لا يُستورد. ${kept[p.column ?? ''] ?? 'يسجّله الخادم نفسه.'}`,
    numbers_in_texts: (p) => `في ${column(p)} أرقام لا نصوص: ربما ضاعت أصفار في أولها.`,
    classes_blank: (p) =>
      `في ${column(p)} خلايا فارغة: ${rows(p)}. يبقى المسجّلون في صفوفهم، ويُرفض الجدد. في الخلايا المدمجة لا تكون القيمة إلا في أولاها. اكتب الصف في كل سطر.`,
    other_roles: (p) =>
      `حسب ${column(p)} أسطر لأشخاص ليسوا طلابًا: ${rows(p)}. وستُسجَّل لهم ملفات طلاب. احذف هذه الأسطر من الملف أو استبعدها.`,
    zeros_lost: (p) =>
      `في ${column(p)} تنقص أصفار أو علامة + في أول ما هو مسجّل: ${rows(p)}. برامج الجداول تحذفها. إن أردت بقاءها فاستبعد العمود من الاستيراد.`,
    zeros_missing: (p) =>
      `في ${column(p)} أرقام هواتف لا صفر في أولها، وأكثر الأرقام الأخرى لها صفر: ${rows(p)}. برامج الجداول تحذفه. أعد كتابته.`,
    digits_lost: (p) =>
      `في ${column(p)} أرقام مثل ‎4.91E+14 أو ‎4910000000000000: ${rows(p)}. لا تُبقي برامج الجداول منها إلا الأرقام الأولى. اكتب الأرقام كاملة أو استبعد العمود من الاستيراد.`,
    letters_lost: (p) =>
      `في ${column(p)} علامات استفهام مكان حروف: ${rows(p)}. برامج الجداول التي تحفظ CSV بترميز قديم تحذف حروفًا. احفظ الملف بصيغة ‎.xlsx وأرسله.`,
    other_children: (p) =>
      `اسم آخر وتاريخ ميلاد آخر غير ما لدى الطالب صاحب هذا الرقم: ${firstOf(p)}.${known(p)} إن كان الرقم لطالب آخر فستُستبدل بياناته. تحقّق أولًا.`,
    other_names: (p) =>
      `اسم ليس فيه أي كلمة من اسم الطالب صاحب هذا الرقم: ${firstOf(p)}. إن كان الرقم لطالب آخر فستُستبدل بياناته. تحقّق أولًا.`,
    other_dates: (p) =>
      `تاريخ ميلاد غير المسجّل: ${firstOf(p)}. تحقّق من أن كل تاريخ في سطره الصحيح، ومن ترتيب اليوم والشهر.`,
    turned_names: (p) =>
      `الاسم الأول واسم العائلة يتبادلان مكانيهما: ${firstOf(p)}. تحقّق من أن كلًا منهما في عموده.`,
    unknown_ids: (p) => `معرّف (id) لا يخص أي طالب: ${firstOf(p)}. يُسجَّل هؤلاء طلابًا جددًا بمعرّف جديد.`,
    names_with_commas: (p) =>
      `اسم فيه فاصلة، ويُسجَّل كما هو: ${firstOf(p)}. ضع اسم العائلة والاسم الأول في عمودين منفصلين.`,
    full_names_kept: (p) =>
      `يتغيّر اسم أول أو اسم عائلة، ويبقى الاسم الكامل كما كان: ${firstOf(p)}. اكتب الاسم الكامل الجديد في الملف أيضًا.`,
    odd_names: (p) =>
      `طالب جديد في اسمه رقم، أو اسمه كلمة مثل «المجموع»: ${firstOf(p)}. إن كانت هذه مجاميع أو ملاحظات فاستبعد أسطرها.`,
    odd_ages: (p) =>
      `تاريخ ميلاد يجعل عمر الطالب أقل من سنتين أو أكثر من 25 سنة: ${firstOf(p)}. تحقّق من صحة السنة.`,
    twins_left_out: (p) =>
      `أسطر مستبعدة مع كل الأسطر التي قد تكون للطالب نفسه: ${firstOf(p)}. فلا يُستورد أي سطر منها. إن أردت إضافة الطالب فأبقِ واحدًا منها.`,
    imported_before: (p) =>
      `استُورد هذا الملف من قبل، وهو الاستيراد ${p.import}. ما تغيّر بعده يدويًا أو بملف آخر قد يعود إلى ما في هذا الملف.`,
    classes_not_named: ({ classes = [], more = 0 }) =>
      `صفوف لا يذكرها أي سطر، ولم يُقارن طلابها: ${classes.map(({ label, students }) => `${isolated(label)} (${numberIn('ar', students)})`).join('، ')}${more > 0 ? `، وصفوف أخرى: ${numberIn('ar', more)}` : ''}.`,
    most_classes_not_named: ({ named = 0, of = 0 }) =>
      `عدد الصفوف التي يذكرها الملف: ${numberIn('ar', named)} من ${numberIn('ar', of)}. لم تُقارن الصفوف الأخرى.`,
    names_not_compared: () => 'لطلاب كثيرين تاريخ ميلاد واحد: لا تُكتشف كل الأسماء المتشابهة.',
  },
}

/** Which row it is; of several, how many, and where the first of them stands. */
const firstOf = (p: WarningParams) =>
  `${p.rows === 1 ? '' : `${rows(p)}، بدءًا من `}السطر ${p.row}${p.sheet ? ` من الورقة «${isolated(p.sheet)}»` : ''}`
