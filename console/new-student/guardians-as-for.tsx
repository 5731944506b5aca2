import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Guardian, getStudent, listStudents } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import { Combobox, type Option } from '../parts/combobox.tsx'
import { Failed } from '../parts/failed.tsx'
import { useReturn } from '../parts/leaving.ts'
import { guardianFields, guardiansOf, type Typed } from '../student/form.ts'
import { texts } from '../student/texts.ts'

interface AsForProps {
  readonly typed: Typed
  readonly onTyped: (typed: Typed) => void
}

const debounceMs = 120
const mostOffered = 8

/** Takes the guardians of another child, a brother or a sister: behind those that were typed already. */
export function GuardiansAsFor({ typed, onTyped }: AsForProps) {
  const isOpen = useSignal(false)
  const options = useSignal<readonly Option[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const told = useSignal<(() => string) | undefined>(undefined)
  const asked = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  useReturn(isOpen.value, () => button.current)

  function search(text: string): void {
    clearTimeout(timer.current)
    const place = ++asked.current
    if (text.trim() === '') options.value = []
    else timer.current = setTimeout(() => void find(text.trim(), place), debounceMs)
  }

  /** Children by their own names; where there are none, by those of their guardians. */
  async function find(text: string, place: number): Promise<void> {
    const shape = { columns: 'id,name,admission_number,class', sort: 'name' as const, per_page: mostOffered }
    let came = await call(() => listStudents({ query: { search: text, ...shape } }))
    if (came.is === 'done' && came.data.data.length === 0)
      came = await call(() => listStudents({ query: { guardian: text, ...shape } }))
    if (place !== asked.current) return // an older answer
    failure.value = came.is === 'failed' && came.failure.is === 'offline' ? came.failure : undefined
    options.value =
      came.is === 'failed'
        ? []
        : came.data.data.map((one) => ({
            id: String(one.id),
            label: `${one.name} · ${one.admission_number} · ${one.class}`,
          }))
  }

  async function take(id: number): Promise<void> {
    const came = await call(() => getStudent({ path: { id } }))
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'failed') return
    const { name, guardians } = came.data.data
    const taken = (guardians ?? []) as Guardian[]
    const isNone = taken.length === 0
    told.value = () => texts()[isNone ? 'hasNoGuardians' : 'taken'](isolated(name))
    if (isNone) return
    onTyped(withGuardians(typed, taken))
    isOpen.value = false
  }

  return (
    <div class="field">
      {isOpen.value ? (
        <Combobox
          label={texts().asForWhom}
          hint={texts().asForHint}
          pointer="/as-for"
          value=""
          onValue={(value) => value && void take(Number(value))}
          onText={search}
          options={options.value}
          focus
        />
      ) : (
        <div>
          <button type="button" ref={button} onClick={() => (isOpen.value = true)}>
            {texts().asFor}
          </button>
        </div>
      )}
      <p class="hint" role="status">
        {told.value?.()}
      </p>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} />}
    </div>
  )
}

/** The form with these guardians, behind those of whom something is entered. */
function withGuardians(typed: Typed, taken: readonly Guardian[]): Typed {
  const entered = [...(guardiansOf(typed) ?? []), ...taken]
  const others = Object.entries(typed).filter(([pointer]) => !pointer.startsWith('/guardians/'))
  const fields = entered.flatMap((guardian, place) =>
    guardianFields.map((name) => [`/guardians/${place}/${name}`, guardian[name] ?? ''] as const),
  )
  return Object.fromEntries([...others, ...fields])
}
