import { createField } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { address, openForms } from '../frame/address.ts'
import { tellAt } from '../frame/notice.tsx'
import { isolated } from '../language/isolated.ts'
import { NewForm } from '../parts/new-form.tsx'
import { Title } from '../parts/title.tsx'
import { FieldScreen } from './field.tsx'
import { NewFieldInputs } from './inputs.tsx'
import { FieldList } from './list.tsx'
import { labelOf, newFieldOf } from './records.ts'
import { texts } from './texts.ts'

/** The school's own fields: all, one, or a new one. */
export function Screen() {
  const { part, id } = address.value
  if (part === 'new') return <NewField />
  return id > 0 ? <FieldScreen id={id} /> : <FieldList />
}

const empty = { '/label': '', '/kind': 'text', '/options': '', '/sensitive': '', '/key': '' }

function NewField() {
  const say = texts()
  return (
    <>
      <div class="heading">
        <Title screen={say.add}>{say.add}</Title>
      </div>
      <NewForm
        start={empty}
        labelOf={labelOf}
        sentences={say.problems}
        make={say.make}
        back="#/fields"
        send={(typed, key) =>
          call(() => createField({ body: newFieldOf(typed), headers: { 'Idempotency-Key': key } }))
        }
        onMade={({ '/label': label = '' }) => {
          openForms.clear()
          tellAt('#/fields', { text: () => texts().wasMade(isolated(label.trim())) })
        }}
        inputs={(inputs) => <NewFieldInputs {...inputs} />}
      />
    </>
  )
}
