import { useSignal } from '@preact/signals'
import { deleteImportMapping, listImportMappings } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { instantInWords } from '../language/dates.ts'
import { isolated } from '../language/isolated.ts'
import { t, textsOf } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { usePages } from '../parts/load.ts'
import { Pager } from '../parts/pager.tsx'
import { Removal } from '../parts/removal.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { school } from '../session/session.ts'

interface KeptTexts {
  readonly title: string
  readonly hint: string
  readonly columns: Readonly<Record<'name' | 'headings' | 'when', string>>
  readonly remove: string
  readonly removeAsk: (name: string) => string
}

const kept = textsOf<KeptTexts>({
  en: {
    title: 'Answers that are kept for the next file',
    hint: 'A file with the same headings takes these answers over.',
    columns: { name: 'Name', headings: 'Headings', when: 'Last kept' },
    remove: 'Delete',
    removeAsk: (name) =>
      `Delete the answers “${name}”? The next file with these headings is asked about anew. What was imported stays.`,
  },
  de: {
    title: 'Gespeicherte Antworten für die nächste Datei',
    hint: 'Eine Datei mit denselben Überschriften übernimmt diese Antworten.',
    columns: { name: 'Name', headings: 'Überschriften', when: 'Zuletzt gespeichert' },
    remove: 'Löschen',
    removeAsk: (name) =>
      `Die Antworten „${name}“ löschen? Zur nächsten Datei mit diesen Überschriften wird neu gefragt. Was eingelesen ist, bleibt.`,
  },
  ar: {
    title: 'إجابات محفوظة للملف التالي',
    hint: 'الملف الذي له العناوين نفسها يأخذ هذه الإجابات.',
    columns: { name: 'الاسم', headings: 'العناوين', when: 'آخر حفظ' },
    remove: 'حذف',
    removeAsk: (name) =>
      `أتُحذف الإجابات «${name}»؟ سيُسأل من جديد عن الملف التالي بهذه العناوين. ويبقى ما استُورد.`,
  },
})

/** The answers that the school keeps for files with the same headings; nothing where there are none. */
export function KeptAnswers() {
  const refused = useSignal<Failure | undefined>(undefined)
  const { items, page, of, failure, load } = usePages((query) => call(() => listImportMappings({ query })))
  const mappings = items ?? []
  async function remove(id: number): Promise<Failure | undefined> {
    const came = await call(() => deleteImportMapping({ path: { id } }))
    if (came.is === 'failed') return came.failure
    refused.value = undefined
    return void (await load(1))
  }
  if (mappings.length === 0 && !failure && !refused.value) return null
  return (
    <details class="section">
      <summary>{kept().title}</summary>
      <p>{kept().hint}</p>
      {failure && <Failed what={t().failed.load} failure={failure} again={() => void load(page)} />}
      {refused.value && <Failed what={t().failed.save} failure={refused.value} />}
      <Scroll label={kept().title}>
        <table>
          <thead>
            <tr>
              {(['name', 'headings', 'when'] as const).map((column) => (
                <th key={column} scope="col">
                  {kept().columns[column]}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {mappings.map(({ id, name, headings, updated_at: at }) => (
              <tr key={id}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td>
                  <bdi>{headings.filter((heading) => heading !== '').join(' · ')}</bdi>
                </td>
                <td class="short number">{instantInWords(at, school.value?.time_zone ?? 'UTC')}</td>
                <td>
                  <Removal
                    label={kept().remove}
                    text={kept().removeAsk(isolated(name))}
                    remove={() => remove(id)}
                    onFailed={(why) => {
                      refused.value = why
                      void load(page)
                    }}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Pager page={page} of={of} to={(next) => void load(next)} />
    </details>
  )
}
