import { type Import, listImportRows, type PlannedRow } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { t, textsOf } from '../language/language.ts'
import { numberIn, plural } from '../language/plurals.ts'
import { Failed } from '../parts/failed.tsx'
import { usePages } from '../parts/load.ts'
import { Pager } from '../parts/pager.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Who } from './row-parts.tsx'
import { texts } from './texts.ts'

const words = textsOf<{
  readonly count: (count: number) => string
  readonly asOf: string
  readonly nobody: string
  readonly print: string
}>({
  en: {
    count: (count) =>
      plural.en(count, {
        one: '# student of the file’s classes was not in it',
        other: '# students of the file’s classes were not in it',
      }),
    asOf: 'Nothing was written about them. The list has those who were in these classes when the file was imported. Whoever was moved to another class since is not listed.',
    nobody: 'All students who were not in the file have left their classes since.',
    print: 'Print this page',
  },
  de: {
    count: (count) =>
      plural.de(count, {
        one: '# Kind aus den Klassen der Datei stand nicht darin',
        other: '# Kinder aus den Klassen der Datei standen nicht darin',
      }),
    asOf: 'Über sie wurde nichts geschrieben. Hier steht, wer beim Einlesen in diesen Klassen war. Wer seither die Klasse gewechselt hat, steht nicht mehr hier.',
    nobody: 'Alle Kinder, die nicht in der Datei standen, sind seither nicht mehr in ihren Klassen.',
    print: 'Diese Seite drucken',
  },
  ar: {
    count: (count) => `طلاب من صفوف الملف لم يكونوا فيه: ${numberIn('ar', count)}`,
    asOf: 'لم يُكتب شيء عنهم. في القائمة من كانوا في هذه الصفوف عند الاستيراد. من نُقل بعد ذلك إلى صف آخر ليس فيها.',
    nobody: 'كل الطلاب الذين لم يكونوا في الملف لم يعودوا في صفوفهم.',
    print: 'طباعة هذه الصفحة',
  },
})

/** As many as one request gives: they are printed and copied together. */
const perPage = 1_000

/** Whom an applied file lacked, by class: somebody looks after them now. */
export function Missing({ imported: { id } }: { imported: Import }) {
  const { items, page, of, total, failure, load } = usePages(
    (asked) => call(() => listImportRows({ path: { id }, query: { outcome: 'missing', ...asked } })),
    { asked: id, perPage },
  )
  if (failure) return <Failed what={t().failed.load} failure={failure} again={() => void load(page)} />
  if (items === undefined) return <p class="quiet">{t().loading}</p>
  if (total === 0) return <p class="said">{words().nobody}</p>
  return (
    <section class="section" aria-label={texts().outcomes.missing}>
      <h2>! {words().count(total)}</h2>
      <p>{words().asOf}</p>
      <Table rows={items.filter((one) => 'cells' in one)} />
      <Pager page={page} of={of} to={(next) => void load(next)} />
      <div class="actions">
        <button type="button" onClick={() => print()}>
          {words().print}
        </button>
      </div>
    </section>
  )
}

function Table({ rows }: { rows: readonly PlannedRow[] }) {
  const { fields } = t()
  return (
    <Scroll label={texts().outcomes.missing}>
      <table>
        <thead>
          <tr>
            <th scope="col">{fields.class}</th>
            <th scope="col">{texts().student}</th>
            <th scope="col">{fields.admission_number}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td class="short">
                <bdi>{textIn(row, 'class')}</bdi>
              </td>
              <td>
                <Who row={row} />
              </td>
              <td class="short number">
                <bdi>{textIn(row, 'admission_number')}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

const textIn = ({ cells }: PlannedRow, column: string) => cells.find((cell) => cell.column === column)?.from
