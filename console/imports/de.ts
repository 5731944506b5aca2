import { and, numberIn, plural } from '../language/plurals.ts'
import type { Texts } from './en.ts'

const n = (count: number) => numberIn('de', count)
export const rows = (count: number) => plural.de(count, { one: '# Zeile', other: '# Zeilen' })

export const de: Texts = {
  title: 'Einlesen',
  titleClasses: 'Klassen einlesen',
  introClasses:
    'Wählen Sie eine Liste von Klassen. Neue werden angelegt; die vorhandenen bleiben, wie sie sind.',
  intro: 'Wählen Sie eine Liste. Nichts wird geschrieben, bevor Sie gesehen haben, was sich ändert.',
  steps: { file: 'Datei', questions: 'Fragen', check: 'Prüfen', done: 'Fertig' },
  stepsLabel: 'Schritte',
  mode: 'Was soll mit den Kindern der Datei geschehen?',
  modes: {
    create: 'Nur neue',
    update: 'Nur bekannte',
    upsert: 'Neue und bekannte',
    mirror: 'Vollständige Liste dieser Klassen',
  },
  modeHints: {
    create: 'Wer schon da ist, wird nicht geändert.',
    update: 'Niemand kommt hinzu.',
    upsert: 'Neue kommen hinzu, bekannte werden geändert.',
    mirror:
      'Neue kommen hinzu, bekannte werden geändert. Wer in diesen Klassen ist, aber nicht in der Datei, wird aufgezählt und nicht geändert.',
  },
  file: 'Datei',
  fileHint: 'CSV oder eine Tabelle (XLSX). Sie können sie auch auf diese Seite ziehen.',
  paste: 'Oder die Zeilen samt Überschriften einfügen',
  pasted: 'Eingefügte Zeilen',
  read: 'Datei lesen',
  sending: 'Die Datei wird gesendet …',
  chooseFirst: 'Wählen Sie eine Datei, oder fügen Sie Zeilen ein.',
  template: 'Eine Datei zum Ausfüllen',
  past: 'Frühere Importe',
  none: 'Noch keine Importe.',
  unfinished: 'Unfertige Importe',
  noneUnfinished: 'Kein Import ist unfertig.',
  columns: { file: 'Datei', when: 'Wann', state: 'Stand', rows: 'Zeilen' },
  unnamed: (id) => `Import ${id}`,
  back: 'Alle Importe',
  states: {
    reading: 'Wird gelesen',
    question: 'Fragen offen',
    planned: 'Zu prüfen',
    applying: 'Wird eingelesen',
    applied: 'Eingelesen',
    undoing: 'Wird zurückgenommen',
    undone: 'Zurückgenommen',
    refused: 'Abgelehnt',
    cancelled: 'Verworfen',
    failed: 'Fehlgeschlagen',
  },
  mayClose: 'Sie dürfen diese Seite schließen: Es geht weiter, und Sie finden es unter „Frühere Importe“.',
  progress: (done, total) =>
    total === null
      ? `bisher ${rows(done)}`
      : `${n(done)} von ${plural.de(total, { one: '# Zeile', other: '# Zeilen' })}`,
  question: (place, known) => `Frage ${n(place)} von bisher ${n(known)}`,
  cells: 'In der Datei:',
  childrenIn: (count) => `In ${rows(count)}:`,
  ofSeveralClasses:
    'Wenn diese Kinder in verschiedene Klassen gehören, berichtigen Sie die Datei und lesen Sie sie neu ein.',
  hiddenCells: 'Es gibt Zellen, die Sie nicht sehen dürfen.',
  next: 'Weiter',
  previous: 'Zurück',
  skip: 'Überspringen',
  choose: 'Wählen Sie eines aus.',
  another: 'Etwas anderes',
  anotherClass: 'Eine andere Klasse',
  choices: {
    leave_out: 'Nichts: die Spalte weglassen',
    leave_rows: 'Diese Zeilen weglassen',
    leave_guardians: 'Keinen: Dann werden sie nicht angelegt, und Telefon und E-Mail bleiben weg.',
    relation: 'Die Beziehung als Name, etwa „Mutter“',
    wordForAll: 'Alle denselben',
    new_field: 'Ein neues eigenes Feld der Schule',
    create: (label) => `Die Klasse ${label} anlegen`,
    sheet: 'Der Name jedes Blatts ist die Klasse',
    none: 'In keiner: Wer schon eingetragen ist, bleibt in seiner Klasse',
    day_first: 'Der Tag zuerst',
    month_first: 'Der Monat zuerst',
    given_first: 'Der Vorname',
    family_first: 'Der Nachname',
    comma: 'Ein Komma',
    semicolon: 'Ein Strichpunkt',
    tab: 'Ein Tabulator',
    bar: 'Ein senkrechter Strich',
    id: 'Die Nummer (id), unter der Registrar das Kind führt',
    class_id: 'Die Nummer (class_id), unter der Registrar die Klasse führt',
  },
  guardianColumn: (place, what) => `Erziehungsberechtigte/r ${place}: ${what}`,
  elsewhere: (system) => `Die Nummer des Kindes in einem anderen System: ${system}`,
  preferredName: 'Rufname',
  nothingYet: 'Noch ist nichts geschrieben.',
  total: (count) => `${rows(count)} in der Datei:`,
  outcomes: {
    create: 'neu',
    change: 'geändert',
    unchanged: 'gleich',
    doubtful: 'bitte prüfen',
    refused: 'fehlerhaft',
    left_out: 'weggelassen',
    missing: 'nicht in der Datei',
  },
  shown: 'Welche Zeilen gezeigt werden',
  row: 'Zeile',
  rowOf: (row, sheet) => (sheet ? `Zeile ${row}, ${sheet}` : `Zeile ${row}`),
  inRowToo: (row, sheet) =>
    `Steht auch in Zeile ${row}${sheet === undefined ? '' : ` von Blatt „${sheet}“`} der gesendeten Datei.`,
  onlyOneRow:
    'Nur eine Zeile kann das haben. Berichtigen Sie es in der Datei, oder nehmen Sie eine Zeile heraus, und lesen Sie die Datei neu ein.',
  sameAsRow: (row, sheet) =>
    `Gehört zum selben Kind wie Zeile ${row}${sheet === undefined ? '' : ` von Blatt „${sheet}“`} der gesendeten Datei.`,
  missingInFile: 'Das fehlt in der Datei.',
  unknownStudent: (number) =>
    number === undefined ? 'Kein Kind hat diese Nummer.' : `Kein Kind hat die Nummer ${number}.`,
  newOneNeeds: (columns) => {
    const what = columns.map((one) => ({ name: 'einen Namen', class: 'eine Klasse' })[one] ?? 'eine Nummer')
    return `Ein neues braucht ${and.de(what)}. In der Datei steht das nicht.`
  },
  noSuchDay: 'Diesen Tag gibt es nicht.',
  yearDigits: 'Das Jahr braucht vier Ziffern, wie in 9.3.2014.',
  dayAs:
    'Schreiben Sie den Tag so: 2014-03-09, ab 1900. Stehen dort Zahlen, formatieren Sie die Spalte als Datum.',
  oneOf: (options) => `Möglich sind: ${options.join(', ')}.`,
  unseen: (character) => `Darin steht ein Zeichen, das niemand sieht: ${character}. Löschen Sie es.`,
  unsureNumber:
    'Punkt oder Komma kann hier Tausender oder Nachkommastellen abtrennen. Schreiben Sie 1234 oder 1,2340.',
  more: 'Weiteres',
  changes: 'Änderung',
  problem: 'Problem',
  reason: 'Warum',
  exampleRow: 'Das ist das Beispiel aus der Datei zum Ausfüllen. Es wird nicht eingelesen.',
  classLeftOut: 'Zeilen dieser Klasse werden weggelassen.',
  leftOutByHand: 'von Ihnen weggelassen.',
  neitherRow: (other) => `${other} ist vielleicht dasselbe Kind. Keine der Zeilen wird eingelesen.`,
  student: 'Kind',
  nothing: 'leer',
  hidden: 'für Sie nicht sichtbar',
  grouped: 'Gleiche Zeilen zusammenfassen',
  alike: rows,
  show: 'Zeigen',
  noRows: 'Keine Zeilen.',
  noneWritten: 'Diese Kinder bleiben, wie sie sind.',
  same: (who) => `Dasselbe Kind wie ${who}`,
  other: 'Ein anderes Kind',
  leaveOut: 'Die Zeile weglassen',
  ofTwins: {
    advice:
      'Die zwei Zeilen können ein Kind sein. Behalten Sie beide, wenn es zwei Kinder sind, und eine, wenn es eines ist.',
    other: 'Diese Zeile behalten',
    leaveOut: 'Diese Zeile weglassen',
  },
  ofNumber: {
    advice:
      'Wählen Sie eine Zeile für die Nummer, und lassen Sie die andere weg. Sind es zwei Kinder, berichtigen Sie die Nummer in der Datei, und lesen Sie sie neu ein.',
    other: 'Diese Zeile mit der Nummer einlesen',
    leaveOut: 'Diese Zeile weglassen',
  },
  wouldChange: 'Ändert:',
  leaveColumnOut: 'Die Spalte weglassen',
  why: {
    same_id: 'Die Datei nennt dieselbe id mit einer anderen Nummer.',
    similar_number:
      'Die Nummern unterscheiden sich nur in Nullen, Strichen und anderen Zeichen, oder in der Schrift der Ziffern.',
    same_name_and_date: 'Gleicher Name, gleiches Geburtsdatum.',
    similar_name_and_date:
      'Gleiches Geburtsdatum, und der Name weicht um einen Buchstaben ab, oder nur in der Schreibweise, wie ae für ä.',
    same_name_and_class:
      'Gleicher Name in derselben Klasse, und nicht bei beiden ein Geburtsdatum zum Vergleichen.',
    same_name_and_class_other_date: 'Gleicher Name in derselben Klasse, aber ein anderes Geburtsdatum.',
  },
  rowIn: (row, sheet) => (sheet === undefined ? `Zeile ${row}` : `Zeile ${row} von Blatt „${sheet}“`),
  twice: {
    name_and_date_twice: (other) => `${other} hat denselben Namen und dasselbe Geburtsdatum.`,
    name_and_class_twice: (other) => `${other} hat denselben Namen und dieselbe Klasse.`,
    similar_number_twice: (other) =>
      `${other} hat dieselbe Nummer, bis auf Nullen, Striche und andere Zeichen oder die Schrift der Ziffern.`,
    number_twice: (other) => `${other} hat dieselbe Nummer. Nur eine von beiden kann sie haben.`,
  },
  chooseRow: 'Wählen Sie für diese Zeile.',
  rowsToChoose: (count) =>
    plural.de(count, {
      one: '# Zeile braucht eine Entscheidung',
      other: '# Zeilen brauchen eine Entscheidung',
    }),
  toChoices: 'Zu den Entscheidungen',
  skipRefused: (count) =>
    plural.de(count, {
      one: 'Die # fehlerhafte Zeile weglassen; ich lade sie herunter und berichtige sie',
      other: 'Die # fehlerhaften Zeilen weglassen; ich lade sie herunter und berichtige sie',
    }),
  skipFirst:
    'Manche Zeilen sind fehlerhaft. Lassen Sie sie weg, oder verwerfen Sie alles und berichtigen Sie die Datei.',
  refusedFile: (file) => `${file} - fehlerhafte Zeilen`,
  download: 'Fehlerhafte Zeilen herunterladen',
  importRows: (count) => plural.de(count, { one: '# Zeile einlesen', other: '# Zeilen einlesen' }),
  takeChoices: (count) =>
    plural.de(count, {
      one: 'Mit # Entscheidung neu prüfen',
      other: 'Mit # Entscheidungen neu prüfen',
    }),
  saveChoices: (count) =>
    plural.de(count, { one: '# Entscheidung speichern', other: '# Entscheidungen speichern' }),
  choicesSaved: (count) =>
    `${plural.de(count, { one: '# Entscheidung ist gespeichert.', other: '# Entscheidungen sind gespeichert.' })} Die übrigen Zeilen warten hier, auch wenn Sie gehen und wiederkommen.`,
  choicesTaken: 'Ihre Entscheidungen gelten. Prüfen Sie die Zahlen, und lesen Sie die Datei dann ein.',
  until: (day) => `Kann bis ${day} zurückgenommen werden.`,
  untilThen: (day) => `Nach dem Einlesen kann alles bis ${day} zurückgenommen werden.`,
  discard: 'Verwerfen',
  discardAsk: 'Diesen Import verwerfen? Ihre Antworten gehen verloren; geschrieben wurde nichts.',
  nothingToWrite: 'Es gibt nichts zu schreiben.',
  outdated:
    'Inzwischen wurde etwas geändert. Die Datei wurde neu geprüft: Prüfen Sie die Zahlen, und lesen Sie sie dann ein.',
  columnMeanings: (leftOut) =>
    leftOut === 0 ? 'Was jede Spalte bedeutet' : `Was jede Spalte bedeutet (${n(leftOut)} weggelassen)`,
  columnsTaken: 'Ihre Spalten gelten. Prüfen Sie die Zahlen, und lesen Sie die Datei dann ein.',
  takeColumns: 'Mit diesen Spalten neu prüfen',
  answers: 'Ihre Antworten',
  change: 'Ändern',
  changeOne: (what) => `Ändern: ${what}`,
  offers: 'Weitere Fragen, die Sie beantworten können',
  answer: 'Beantworten',
  warnings: 'Was Sie von der Datei wissen sollten',
  nothingWritten: 'Nichts wurde geändert, also gibt es nichts zurückzunehmen.',
  written: (create, change) => `${n(create)} neu, ${n(change)} geändert.`,
  leftOut: (count) => `${rows(count)} weggelassen`,
  notPossible: (count) => `${rows(count)} fehlerhaft`,
  takeBack: 'Zurücknehmen',
  takenBack: 'Der Import wurde zurückgenommen.',
  undoneAll: (removed, back) => `${n(removed)} entfernt, ${n(back)} wie vorher.`,
  undone: (removed, back, kept) =>
    `${n(removed)} entfernt, ${n(back)} wie vorher, ${n(kept)} sollten Sie ansehen.`,
  hadWritten: (create, change) => `Er hatte ${n(create)} neu angelegt und ${n(change)} geändert.`,
  kept: 'Das bleibt, weil es danach geändert wurde',
  keptRows: (count) => `Das bleibt, weil es danach geändert wurde: ${rows(count)}`,
  noneKept: 'Alles ist zurückgenommen.',
  keptFields: 'Bleibt',
  keptWhole: (fields) => `Alles. Seither geändert: ${fields}`,
  keptBefore: (before) => `Vor dem Einlesen: ${before}`,
  nothingKept: 'Nichts davon wurde behalten.',
  failedBack:
    'Er wurde nicht abgeschlossen. Was er geschrieben hatte, ist zurückgenommen, sofern es nicht seither geändert wurde.',
  notImported: 'Diese Datei kann nicht eingelesen werden.',
  discarded: 'Der Import wurde verworfen. Geschrieben wurde nichts, und die Datei wird nicht aufbewahrt.',
  again: 'Eine Datei wählen',
  toClasses: 'Zu den Klassen',
  toStudents: 'Zu den Schülerinnen und Schülern',
  emptied: 'Die Zeilen sind gelöscht: Sie bleiben höchstens 30 Tage.',
}
