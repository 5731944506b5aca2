import { numberIn, plural } from '../../language/plurals.ts'
import type { ToldTexts, WarningParams } from './codes.ts'

const rows = ({ rows = 0 }: WarningParams) => plural.de(rows, { one: '# Zeile', other: '# Zeilen' })
const place = ({ sheet }: WarningParams) => (sheet === undefined ? 'die Datei' : `das Blatt „${sheet}“`)
const inPlace = ({ sheet }: WarningParams) => (sheet === undefined ? 'in der Datei' : `im Blatt „${sheet}“`)
const known = ({ known = 0 }: WarningParams) =>
  known === 0
    ? ''
    : ` Unter einer anderen Nummer schon eingetragen: ${plural.de(known, { one: '# Kind', other: '# Kinder' })} davon.`
const column = ({ heading = '' }: WarningParams) => `Spalte „${heading}“`
const saveAs = 'Speichern Sie sie als .xlsx oder CSV.'
const saveAnew =
  'Öffnen Sie die Datei in einer Tabellenkalkulation, speichern Sie sie neu, und senden Sie die neue.'

const kept: Readonly<Record<string, string>> = {
  problem:
    'Als erste Spalte einer Datei fehlerhafter Zeilen sagt sie, warum sie es waren. Ist es eine eigene, geben Sie ihr eine andere Überschrift.',
  created_at: 'Wann ein Eintrag angelegt wurde, schreibt Registrar selbst auf.',
  updated_at: 'Wann ein Eintrag zuletzt geändert wurde, schreibt Registrar selbst auf.',
}

export const de: ToldTexts = {
  failures: {
    empty_file: 'Die Datei ist leer.',
    encrypted_file: 'Die Datei hat ein Passwort. Speichern Sie sie ohne Passwort.',
    old_excel_file: `Das ist eine Datei von Excel 97 bis 2003. ${saveAs}`,
    binary_workbook: `Das ist eine binäre Excel-Datei. ${saveAs}`,
    open_document: `Das ist eine Datei von LibreOffice. ${saveAs}`,
    not_a_table:
      'Das ist keine Tabelle, sondern etwa ein PDF, ein Textdokument oder ein Archiv. Senden Sie die Liste als .xlsx oder CSV.',
    damaged_file: `Die Datei ist nicht vollständig. ${saveAnew}`,
    doctype: `Die Datei ist nicht so geschrieben wie eine Tabelle. ${saveAnew}`,
    external_links:
      'Die Tabelle holt Werte aus anderen Dateien. Speichern Sie sie als CSV, oder lösen Sie die Verknüpfungen.',
    formula_without_value: `Eine Formel wurde nie berechnet. ${saveAnew}`,
    too_large: 'Die Datei enthält zu viel. Speichern Sie nur die Zeilen, als CSV.',
    too_many_rows: 'Die Datei hat zu viele Zeilen. Teilen Sie sie.',
    too_many_columns: 'Die Datei hat zu viele Spalten.',
    cell_too_long: 'Eine Zelle ist zu lang. Vielleicht fehlt ein Anführungszeichen.',
    too_many_marks: 'Eine Zelle hat mehr Akzente auf einem Buchstaben, als es in einer Schrift gibt.',
    row_too_long: 'Eine Zeile ist zu lang. Vielleicht fehlt ein Anführungszeichen.',
    invalid_csv: 'Die Anführungszeichen passen nicht zueinander.',
    invalid_encoding:
      'Die Zeichenkodierung der Datei ist nicht bekannt. Speichern Sie sie als UTF-8 oder .xlsx.',
    header_not_found:
      'In den ersten Zeilen steht keine Überschrift, die bekannt ist. Benennen Sie die Spalten in der ersten Zeile, oder nehmen Sie die Datei zum Ausfüllen.',
    no_rows: 'Unter den Überschriften steht nichts.',
    no_match_column:
      'Die Datei soll bekannte Kinder ändern und hat keine Spalte, an der sie zu erkennen sind, etwa die Nummer.',
    upload_cut: 'Die Datei kam nicht ganz an. Senden Sie sie noch einmal.',
    import_forgotten:
      'Der Import wurde 30 Tage lang nicht bearbeitet, darum sind seine Zeilen gelöscht. Senden Sie die Datei noch einmal.',
    import_given_up:
      'Der Server hat es mehrmals versucht und kam nie zu einem Ende. Prüfen Sie die Datei, oder teilen Sie sie.',
    internal_error: 'Auf dem Server ging etwas schief. Seine Protokolldatei sagt mehr.',
    interrupted: 'Der Befehl wurde beendet, bevor alles geschrieben war.',
    permission_denied: 'Das Konto, das den Import begonnen hat, darf es nicht mehr.',
    row_not_applied:
      'Eine Zeile ließ sich nicht mehr schreiben, weil sich seit der Prüfung etwas geändert hat.',
  },
  rowEnds: {
    cell_changed: 'Eine Zeile würde ändern, was jemand seit der Prüfung geändert hat.',
    newcomer: 'Eine Zeile gehört vielleicht zu einem Kind, das seit der Prüfung dazugekommen ist.',
    student_gone: 'Das Kind einer Zeile gibt es nicht mehr.',
    match_lost: 'Das Kind einer Zeile hat die Nummer nicht mehr, an der es zu erkennen war.',
    value_refused: 'Ein eigenes Feld nimmt den Wert einer Zeile nicht mehr an.',
    permission_lost: 'Dem Konto fehlt inzwischen ein Recht für die Klasse einer Zeile.',
    class_closed: 'Die Klasse einer Zeile nimmt keine Kinder mehr auf.',
  },
  where: ({ row, sheet, cell }) =>
    `Es ist die ${cell === undefined ? `Zeile ${row}` : `Zelle ${cell}`}${sheet === undefined ? '' : ` im Blatt „${sheet}“`}.`,
  most: (limit) => `Möglich sind höchstens ${numberIn('de', limit)}.`,
  warnings: {
    sheet_left_out: (p) =>
      `${begin(place(p))} hat keine oder andere Überschriften und entfällt${p.rows ? `, mit ${rows(p)}. Stehen Kinder oder Klassen darin, senden Sie es als eigene Datei` : ''}.`,
    rows_above_header: (p) =>
      `Die Überschriften stehen ${inPlace(p)} in Zeile ${p.row}; was darüber steht, entfällt.`,
    hidden_sheet: (p) => `${begin(place(p))} ist ausgeblendet und wird eingelesen: ${rows(p)}.`,
    hidden_rows: (p) => `Ausgeblendet ${inPlace(p)} und eingelesen: ${rows(p)}.`,
    blank_rows: (p) => `Leer und weggelassen: ${rows(p)}.`,
    other_table: (p) =>
      `Ab Zeile ${p.row} stehen ${inPlace(p)} andere Überschriften. Von dort an entfällt alles: ${rows(p)}. Senden Sie das als eigene Datei.`,
    repeated_headers: (p) => `Wiederholte Überschriften, weggelassen: ${rows(p)}.`,
    empty_column: (p) => `Die ${column(p)} ist nicht bekannt, hat keinen Wert und entfällt.`,
    kept_by_server: (p) =>
      `Die ${column(p)} wird nicht eingelesen. ${kept[p.column ?? ''] ?? 'Das schreibt Registrar selbst auf.'}`,
    numbers_in_texts: (p) =>
      `In der ${column(p)} stehen Zahlen statt Texte: Nullen am Anfang können verloren sein.`,
    classes_blank: (p) =>
      `In der ${column(p)} ist nichts eingetragen: ${rows(p)}. Wer schon da ist, bleibt in seiner Klasse, und neue Kinder werden abgelehnt. Von verbundenen Zellen hat nur die erste den Wert. Schreiben Sie die Klasse in jede Zeile.`,
    other_roles: (p) =>
      `Nach der ${column(p)} keine Kinder, sondern andere Personen: ${rows(p)}. Sie würden als Kinder angelegt. Nehmen Sie diese Zeilen aus der Datei, oder lassen Sie sie weg.`,
    zeros_lost: (p) =>
      `In der ${column(p)} fehlen Nullen oder ein Plus am Anfang dessen, was dort steht: ${rows(p)}. Eine Tabellenkalkulation nimmt sie weg. Sollen sie bleiben, lassen Sie die Spalte weg.`,
    zeros_missing: (p) =>
      `In der ${column(p)} haben Telefonnummern keine Null am Anfang, die meisten anderen aber schon: ${rows(p)}. Eine Tabellenkalkulation nimmt sie weg. Schreiben Sie sie wieder davor.`,
    digits_lost: (p) =>
      `In der ${column(p)} stehen Zahlen wie 4,91E+14 oder 4910000000000000: ${rows(p)}. Eine Tabellenkalkulation behält davon nur die ersten Ziffern. Schreiben Sie die ganzen Zahlen, oder lassen Sie die Spalte weg.`,
    letters_lost: (p) =>
      `In der ${column(p)} stehen Fragezeichen statt Buchstaben: ${rows(p)}. Eine Tabellenkalkulation, die CSV in einer alten Kodierung speichert, nimmt Buchstaben weg. Speichern Sie die Datei als .xlsx, und senden Sie diese.`,
    other_children: (p) =>
      `Anderer Name und anderes Geburtsdatum als bei dem Kind mit dieser Nummer: ${firstOf(p)}.${known(p)} Gehört die Nummer einem anderen Kind, wird es überschrieben. Sehen Sie vorher nach.`,
    other_names: (p) =>
      `Ein Name, von dem kein Wort bei dem Kind mit dieser Nummer steht: ${firstOf(p)}. Gehört die Nummer einem anderen Kind, wird es überschrieben. Sehen Sie vorher nach.`,
    other_dates: (p) =>
      `Ein anderes Geburtsdatum als das eingetragene: ${firstOf(p)}. Sehen Sie nach, ob jedes in der richtigen Zeile steht und ob Tag und Monat nicht vertauscht sind.`,
    turned_names: (p) =>
      `Vor- und Nachname tauschen die Plätze: ${firstOf(p)}. Sehen Sie nach, ob jeder in seiner Spalte steht.`,
    unknown_ids: (p) =>
      `Eine id, die kein Kind hat: ${firstOf(p)}. ${p.rows === 1 ? 'Dieses Kind wird neu angelegt und bekommt' : 'Diese Kinder werden neu angelegt und bekommen'} eine eigene id.`,
    names_with_commas: (p) =>
      `Ein Name mit einem Komma, der so eingetragen wird, wie er dasteht: ${firstOf(p)}. Geben Sie Nach- und Vornamen eigene Spalten.`,
    full_names_kept: (p) =>
      `Ein Vor- oder Nachname ändert sich, und der vollständige Name bleibt, wie er war: ${firstOf(p)}. Geben Sie in der Datei auch den neuen vollständigen Namen an.`,
    odd_names: (p) =>
      `Ein neues Kind mit einer Ziffer im Namen, oder mit einem Wort wie „Gesamt“ als Namen: ${firstOf(p)}. Sind das Summen oder Hinweise, lassen Sie diese Zeilen weg.`,
    odd_ages: (p) =>
      `Ein Geburtsdatum, nach dem ein Kind jünger als 2 oder älter als 25 Jahre wäre: ${firstOf(p)}. Sehen Sie nach, ob das Jahr stimmt.`,
    twins_left_out: (p) =>
      `Weggelassen, und mit ihnen alle Zeilen, die dasselbe Kind sein können: ${firstOf(p)}. Keine der Zeilen wird eingelesen. Soll das Kind dazukommen, behalten Sie eine.`,
    imported_before: (p) =>
      `Diese Datei wurde schon einmal eingelesen, als Import ${p.import}. Was seither von Hand oder durch eine andere Datei geändert wurde, kann auf den Stand dieser Datei zurückgehen.`,
    classes_not_named: ({ classes = [], more = 0 }) =>
      `Nicht verglichen, weil keine Zeile die Klasse nennt: ${classes.map(({ label, students }) => `${label} (${plural.de(students, { one: '# Kind', other: '# Kinder' })})`).join(', ')}${more > 0 ? ` und ${numberIn('de', more)} weitere` : ''}.`,
    most_classes_not_named: ({ named = 0, of = 0 }) =>
      `Die Datei nennt ${numberIn('de', named)} von ${numberIn('de', of)} Klassen; die übrigen wurden nicht verglichen.`,
    names_not_compared: () =>
      'Zu viele Kinder haben dasselbe Geburtsdatum: Nicht alle ähnlichen Namen werden gefunden.',
  },
}

/** How many rows, and where the first of them stands. */
const firstOf = (p: WarningParams) =>
  `${p.rows === 1 ? '' : `${rows(p)}, zuerst `}Zeile ${p.row}${p.sheet ? ` von Blatt „${p.sheet}“` : ''}`

const begin = (words: string) => `${words[0]!.toUpperCase()}${words.slice(1)}`
