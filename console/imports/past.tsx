import { type Import, listImports } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { address } from '../frame/address.ts'
import { instantInWords } from '../language/dates.ts'
import { code, t } from '../language/language.ts'
import { numberIn } from '../language/plurals.ts'
import { Failed } from '../parts/failed.tsx'
import { usePages } from '../parts/load.ts'
import { Pager } from '../parts/pager.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { school } from '../session/session.ts'
import { texts } from './texts.ts'
import { nameOf, pathOf } from './words.ts'

/** The sign of a state: meaning never rests on colour alone. */
const signs: Partial<Record<Import['state'], string>> = {
  ...{ question: '?', planned: '?', applied: '✓', undone: '↶', refused: '×', failed: '×' },
}

/** The imports of before, the newest first; with `unfinished` in the address, those alone that want something. */
export function PastImports({ kind }: { kind: Import['kind'] }) {
  const isUnfinished = address.value.query.get('unfinished') === 'true'
  const unfinished = isUnfinished ? 'true' : 'false'
  const { items, page, of, failure, load } = usePages(
    (asked) => call(() => listImports({ query: { kind, unfinished, ...asked } })),
    { asked: unfinished },
  )
  return (
    <section aria-labelledby="past">
      <h2 id="past">{isUnfinished ? texts().unfinished : texts().past}</h2>
      {isUnfinished && <a href={pathOf(kind)}>{texts().back}</a>}
      {failure && <Failed what={t().failed.load} failure={failure} again={() => void load(page)} />}
      {items?.length === 0 && <p class="quiet">{isUnfinished ? texts().noneUnfinished : texts().none}</p>}
      {items !== undefined && items.length > 0 && (
        <Scroll label={texts().past}>
          <table aria-labelledby="past">
            <thead>
              <tr>
                {(['file', 'when', 'state', 'rows'] as const).map((column) => (
                  <th key={column} scope="col">
                    {texts().columns[column]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((one) => (
                <tr key={one.id}>
                  <td>
                    <a class="name" href={`#/imports/${one.id}`}>
                      <bdi>{nameOf(one)}</bdi>
                    </a>
                  </td>
                  <td class="short number">
                    {instantInWords(one.created_at, school.value?.time_zone ?? 'UTC')}
                  </td>
                  <td class="short">
                    {signs[one.state] ?? '…'} {texts().states[one.state]}
                  </td>
                  <td class="number">{one.counts ? numberIn(code.value, one.counts.rows) : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <Pager page={page} of={of} to={(next) => void load(next)} />
    </section>
  )
}
