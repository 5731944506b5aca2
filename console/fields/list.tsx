import { useSignal } from '@preact/signals'
import type { Field } from '../../client/src/index.ts'
import { notice } from '../frame/notice.tsx'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { useReturn } from '../parts/leaving.ts'
import { useLoaded } from '../parts/load.ts'
import { Name } from '../parts/name.tsx'
import { Order } from '../parts/order.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Title } from '../parts/title.tsx'
import { kindTexts } from './kind-texts.ts'
import { fetchFields, put } from './records.ts'
import { texts } from './texts.ts'

/** The fields in their order: those in use, then the archived ones. */
export function FieldList() {
  const { data, failure, load } = useLoaded(fetchFields)
  const isOrdering = useSignal(false)
  const say = texts()
  const fields = data.value ?? []
  const inUse = fields.filter(({ archived }) => !archived)
  const archived = fields.filter((one) => one.archived)
  const close = () => {
    isOrdering.value = false
  }
  useReturn(isOrdering.value, () => document.querySelector('h1'))
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.fields}>{t().screens.fields}</Title>
        <p class="quiet number">{data.value && say.count(inUse.length)}</p>
      </div>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {isOrdering.value ? (
        <Order
          records={() => data.value ?? []}
          say={say}
          put={put}
          load={load}
          onMoved={() => (notice.value = { text: () => texts().ordered })}
          close={close}
        />
      ) : (
        <>
          <div class="tools limited">
            <p class="quiet">{say.intro}</p>
            <div class="end">
              {inUse.length > 1 && (
                <button type="button" onClick={() => (isOrdering.value = true)}>
                  {say.order}
                </button>
              )}
              <a class="button primary" href="#/fields/new">
                {say.add}
              </a>
            </div>
          </div>
          {data.value?.length === 0 && <p class="nothing">{say.none}</p>}
          {inUse.length > 0 && <Table caption={t().screens.fields} rows={inUse} />}
          {archived.length > 0 && (
            <>
              <h2 class="further">{say.archived}</h2>
              <p class="hint">{say.archivedHint}</p>
              <Table caption={say.archived} rows={archived} />
            </>
          )}
        </>
      )}
    </>
  )
}

function Table({ caption, rows }: { caption: string; rows: readonly Field[] }) {
  const say = texts()
  return (
    <Scroll label={caption} shape="limited">
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {[say.label, kindTexts().kind, say.options, say.key].map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, label, kind, options, sensitive, key }) => (
            <tr key={id}>
              <td>
                <a class="name" href={`#/fields/${id}`}>
                  <Name>{label}</Name>
                </a>
                {sensitive && <span class="quiet"> · {kindTexts().sensitive}</span>}
              </td>
              <td>{kindTexts().kinds[kind]}</td>
              <td class="choices">
                <bdi>{options?.join(', ')}</bdi>
              </td>
              <td>
                <bdi class="quiet" dir="ltr">
                  {key}
                </bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
