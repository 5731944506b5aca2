import { getStudent, type Student } from '../../client/src/index.ts'
import { call, codeOf, type Outcome } from '../api/calls.ts'
import { address, studentPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { useLoaded } from '../parts/load.ts'
import { NotThere } from '../parts/not-there.tsx'
import { may, school } from '../session/session.ts'
import { Confirmation } from './confirmation.tsx'
import { kindIn, recordKinds } from './layout.ts'
import { Record } from './record.tsx'
import { SheetHead } from './sheet-head.tsx'
import { texts } from './texts.ts'
import { Toolbar } from './toolbar.tsx'

async function read(id: number): Promise<Outcome<Student>> {
  const came = await call(() => getStudent({ path: { id } }))
  return came.is === 'failed' ? came : { ...came, data: came.data.data }
}

/** One student on paper: the record as the account sees it, or that the child is at the school. */
export function RecordPrint({ id }: { id: number }) {
  const { data, failure, load } = useLoaded(() => read(id))
  const kind = kindIn(recordKinds, address.value.query)
  const { value: student } = data
  if (failure.value && codeOf(failure.value) === 'student_not_found') return <NotThere />
  return (
    <>
      <Toolbar kind={kind} kinds={recordKinds} back={studentPath(id)} isReady={student !== undefined}>
        {!school.value?.name && <NoSchool />}
      </Toolbar>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {student && (
        <div class="sheets">
          <table
            class={`sheet portrait letter${kind === 'confirmation' ? ' confirmation' : ''}`}
            role="presentation"
          >
            <thead>
              <SheetHead title={titleOf(kind, student)} columns={1} />
            </thead>
            <tbody>
              <tr>
                <td>
                  {kind === 'record' ? <Record student={student} /> : <Confirmation student={student} />}
                </td>
              </tr>
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

/** A record may take several pages, and each says whose it is. */
const titleOf = (kind: (typeof recordKinds)[number], { name, admission_number }: Student) =>
  kind === 'record' ? [texts().kinds.record, name, admission_number] : [texts().kinds.confirmation]

function NoSchool() {
  return (
    <p class="hint">
      {texts().noSchool} {may('school.manage') && <a href="#/school">{texts().toSchool}</a>}
    </p>
  )
}
