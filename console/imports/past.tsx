import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Import, listImports } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { address } from '../frame/address.ts'
import { instantInWords } from '../language/dates.ts'
import { code, t } from '../language/language.ts'
import { numberIn } from '../language/plurals.ts'
import { Failed } from '../parts/failed.tsx'
import { Pager } from '../parts/pager.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { school } from '../session/session.ts'
import { texts } from './texts.ts'
import { nameOf, pathOf } from './words.ts'

/** The sign of a state: meaning never rests on colour alone. */
const signs: Partial<Record<Import['state'], string>> = {
  ...{ question: '?', planned: '?', applied: '✓', undone: '↶', refused: '×', failed: '×' },
}

const perPage = 25

/** The imports of before, the newest first; with `unfinished` in the address, those alone that want something. */
export function PastImports({ kind }: { kind: Import['kind'] }) {
  const imports = useSignal<readonly Import[] | undefined>(undefined)
  const pages = useSignal({ page: 1, of: 1 })
  const failure = useSignal<Failure | undefined>(undefined)
  const isUnfinished = address.value.query.get('unfinished') === 'true'
  async function load(page: number): Promise<void> {
    const unfinished = isUnfinished ? 'true' : 'false'
    const query = { kind, unfinished, per_page: perPage, page } as const
    const came = await call(() => listImports({ query }))
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'failed') return
    imports.value = came.data.data
    pages.value = { page, of: came.data.pagination.total_pages }
  }
  useEffect(() => void load(1), [isUnfinished])
  const { page, of } = pages.value
  return (
    <section aria-labelledby="past">
      <h2 id="past">{isUnfinished ? texts().unfinished : texts().past}</h2>
      {isUnfinished && <a href={pathOf(kind)}>{texts().back}</a>}
      {failure.value && (
        <Failed what={t().failed.load} failure={failure.value} again={() => void load(page)} />
      )}
      {imports.value?.length === 0 && (
        <p class="quiet">{isUnfinished ? texts().noneUnfinished : texts().none}</p>
      )}
      {imports.value !== undefined && imports.value.length > 0 && (
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
              {imports.value.map((one) => (
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
