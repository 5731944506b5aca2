import { createRole, type PermissionName } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { address, openForms } from '../frame/address.ts'
import { tellAt } from '../frame/notice.tsx'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { useLoaded } from '../parts/load.ts'
import { NewForm } from '../parts/new-form.tsx'
import { Title } from '../parts/title.tsx'
import { mayForAll } from '../session/session.ts'
import { RoleInputs } from './inputs.tsx'
import { fetchTable, labelOf, permissionsOf, typedOf } from './records.ts'
import { texts } from './texts.ts'

/** What a class teacher needs, for the own classes. */
const ofTeachers: readonly PermissionName[] = ['students.view', 'students.sensitive', 'classes.view']

/** A new role; the address may name another that it begins like, or say that it is for class teachers. */
export function NewRole() {
  const { data, failure, load } = useLoaded(fetchTable)
  const say = texts()
  const { query } = address.value
  const like = Number(query.get('like'))
  const isForTeachers = query.get('for') === 'teacher'
  const wanted = isForTeachers ? ofTeachers : data.value?.roles.find(({ id }) => id === like)?.permissions
  const held = wanted?.filter((name) => mayForAll(name))
  return (
    <>
      <div class="heading">
        <Title screen={say.add}>{say.add}</Title>
      </div>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {data.value && (
        <NewForm
          start={typedOf(isForTeachers ? say.teacher : '', held ?? [])}
          labelOf={labelOf}
          sentences={say.problems}
          make={say.make}
          back="#/roles"
          send={(typed, key) => {
            const body = { name: typed['/name']!, permissions: permissionsOf(typed) }
            return call(() => createRole({ body, headers: { 'Idempotency-Key': key } }))
          }}
          onMade={({ '/name': name = '' }) => {
            openForms.clear()
            tellAt('#/roles', { text: () => texts().wasMade(isolated(name.trim())) })
          }}
          inputs={(inputs) => <RoleInputs {...inputs} permissions={data.value!.permissions} focus />}
        />
      )}
    </>
  )
}
