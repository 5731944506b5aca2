import { numberIn } from '../language/plurals.ts'
import type { PrintTexts } from './en.ts'

const n = (count: number) => numberIn('de', count)

export const de: PrintTexts = {
  kinds: {
    list: 'Diese Liste',
    classes: 'Eine Seite je Klasse',
    photo: 'Fototag',
    record: 'Akte',
    confirmation: 'Schulbescheinigung',
  },
  withTicks: 'Mit Kästchen zum Abhaken',
  withBlanks: 'Mit leeren Spalten',
  what: 'Was',
  title: 'Überschrift',
  ticks: 'Kästchen zum Abhaken',
  blanks: 'Leere Spalten',
  none: 'keine',
  heads: 'Überschriften dieser Spalten',
  headsHint: 'Mit Kommas dazwischen: Montag, Dienstag',
  paper: 'Papier',
  papers: { portrait: 'hoch', landscape: 'quer' },
  rows: 'Kinder auf einer Seite',
  rowsHint: 'so viele, wie passen',
  back: 'Zurück',
  hint: 'A4 oder Letter wählen Sie im Druckdialog. Schalten Sie dort Kopf- und Fußzeilen aus.',
  reading: (read, total) => `${n(read)} von ${n(total)} sind geladen.`,
  unfinished: 'Es sind noch nicht alle Kinder geladen, darum wird nichts gedruckt.',
  changing: 'Die Liste ändert sich, während sie geladen wird.',
  tooMany: (most) =>
    `Mehr als ${n(most)} Kinder werden nicht auf einmal gedruckt. Filtern Sie die Liste, oder exportieren Sie sie.`,
  leftOut: (columns) => `Nicht gedruckt: ${columns}.`,
  chooseColumns: 'Um auch sie zu drucken, wählen Sie sie in der Liste unter „Spalten“.',
  longClasses: 'Zu lang für eine Seite:',
  longClass: (label, count, pages) => `${label} (${count}, etwa ${n(pages)} Seiten)`,
  place: 'Nr.',
  photoHeads: ['Foto', 'Notiz'],
  keep: (name) => `Dieses Layout bei ${name} speichern`,
  kept: (name) => `Das Layout ist bei ${name} gespeichert.`,
  confirms: 'Hiermit wird bescheinigt, dass die unten genannte Person unsere Schule besucht.',
  stamp: 'Stempel der Schule',
  signature: 'Ort, Datum, Unterschrift',
  noSchool: 'Die Schule hat noch keinen Namen.',
  toSchool: 'Namen und Adresse eintragen',
}
