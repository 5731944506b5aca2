import { useSignal } from '@preact/signals'
import { deleteField, type Field } from '../../client/src/index.ts'
import { call, codeOf, type Failure } from '../api/calls.ts'
import { openForms } from '../frame/address.ts'
import { notice, tellAt } from '../frame/notice.tsx'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import { EditForm } from '../parts/edit-form.tsx'
import { Failed } from '../parts/failed.tsx'
import { useLoaded } from '../parts/load.ts'
import { Name } from '../parts/name.tsx'
import { Removal } from '../parts/removal.tsx'
import { Title } from '../parts/title.tsx'
import { FieldInputs } from './inputs.tsx'
import { kindTexts } from './kind-texts.ts'
import { change, fetchField, fetchFields, labelOf, patchOf, shownOf, typedOf } from './records.ts'
import { texts } from './texts.ts'

/** One of the school's own fields. */
export function FieldScreen({ id }: { id: number }) {
  const { data, failure, load } = useLoaded(() => fetchField(id))
  const refused = useSignal<Failure | undefined>(undefined)
  const say = texts()
  if (failure.value && codeOf(failure.value) === 'field_not_found')
    return <Title screen={t().screens.fields}>{say.notThere}</Title>
  if (data.value === undefined)
    return failure.value ? (
      <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />
    ) : null
  const { record: field, tag } = data.value
  const label = isolated(field.label)

  async function archive(archived: boolean, of: string): Promise<void> {
    refused.value = await change(id, { archived }, of)
    await load()
    if (refused.value !== undefined) return
    void fetchFields()
    const next = data.value?.tag ?? of
    notice.value = {
      text: () => (archived ? texts().wasArchived(label) : texts().wasRestored(label)),
      undo: () => void archive(!archived, next),
    }
  }

  async function remove(): Promise<Failure | undefined> {
    const came = await call(() => deleteField({ path: { id }, headers: { 'If-Match': tag } }))
    if (came.is === 'failed') return came.failure
    openForms.clear()
    tellAt('#/fields', { text: () => texts().wasRemoved(label) })
    return undefined
  }

  return (
    <>
      <p>
        <a href="#/fields">{say.back}</a>
      </p>
      <div class="heading">
        <Title screen={t().screens.fields}>
          <Name>{field.label}</Name>
        </Title>
      </div>
      <Facts field={field} />
      {refused.value && <Failed what={t().failed.save} failure={refused.value} sentences={say.problems} />}
      <div class="tools">
        <button type="button" onClick={() => void archive(!field.archived, tag)}>
          {field.archived ? say.restore : say.archive}
        </button>
        <Removal
          label={say.remove}
          text={say.removeText}
          remove={remove}
          onFailed={(why) => {
            refused.value = why
            void load()
          }}
        />
      </div>
      <EditForm
        opened={data.value}
        typedOf={typedOf}
        labelOf={labelOf}
        shownOf={shownOf}
        sentences={say.problems}
        fetch={() => fetchField(id)}
        send={(typed, changed, opened) => change(id, patchOf(typed, changed), opened.tag)}
        onSaved={(read) => {
          data.value = read
          notice.value = { text: () => t().student.saved }
          void fetchFields()
        }}
        inputs={(inputs) => <FieldInputs {...inputs} />}
      />
    </>
  )
}

/** What of a field is fixed. */
function Facts({ field: { kind, key, archived } }: { field: Field }) {
  const say = texts()
  return (
    <div class="facts">
      <p>
        {kindTexts().kinds[kind]} · <bdi dir="ltr">{key}</bdi>
        {archived && ` · ${say.isArchived}`}
      </p>
      <p class="hint">{say.fixed}</p>
    </div>
  )
}
