import { useEffect, useMemo } from 'preact/hooks'
import type { Import } from '../../client/src/index.ts'
import { codeOf } from '../api/calls.ts'
import { address } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Later } from '../parts/later.tsx'
import { useLeaving } from '../parts/leaving.ts'
import { Title } from '../parts/title.tsx'
import { session } from '../session/session.ts'
import { ImportRecord } from './record.ts'
import { ImportSteps, type Step } from './steps.tsx'
import { texts } from './texts.ts'
import { nameOf, pathOf } from './words.ts'

/** One import: its questions, its plan, or what came of it. */
export function Screen() {
  const { id } = address.value
  const record = useMemo(() => new ImportRecord(id), [id])
  const { is } = session.value
  useEffect(() => {
    if (is === 'in') void record.load()
  }, [is])
  useEffect(() => () => record.leave(), [])
  useLeaving(() => Object.keys(record.choices.value).length > 0)
  const { value } = record.read
  const failure = record.failure.value
  if (value === undefined && failure && codeOf(failure) === 'import_not_found')
    return (
      <>
        <Title screen={texts().title}>{t().notThere}</Title>
        <a href="#/imports">{texts().back}</a>
      </>
    )
  return (
    <>
      <a href={pathOf(value?.kind ?? 'students')}>{texts().back}</a>
      <div class="heading">
        <Title screen={texts().title}>
          <bdi>{value ? nameOf(value) : texts().title}</bdi>
        </Title>
        <p class="quiet" role="status">
          {value && texts().states[value.state]}
        </p>
      </div>
      {failure && <Failed what={t().failed.save} failure={failure} again={() => void record.load()} />}
      {value && <ImportSteps at={stepOf(value)} end={endOf(value)} />}
      {value && <Body record={record} imported={value} />}
    </>
  )
}

function stepOf({ state, counts }: Import): Step {
  if (state === 'question' || (state === 'reading' && counts === null)) return 'questions'
  return state === 'planned' || state === 'reading' ? 'check' : 'done'
}

/** A word for an end that is not the one that was meant. */
const endOf = ({ state }: Import) =>
  ['undoing', 'undone', 'cancelled', 'refused', 'failed'].includes(state) ? texts().states[state] : undefined

const loadQuestions = async () => ({ Screen: (await import('./questions.tsx')).Questions })
const loadCheck = async () => ({ Screen: (await import('./check.tsx')).Check })
const loadDone = async () => ({ Screen: (await import('./done.tsx')).Done })

function Body({ record, imported }: { record: ImportRecord; imported: Import }) {
  const { state, updated_at: at } = imported
  if (state === 'question' || (state === 'planned' && address.value.query.has('question')))
    return <Later key={`questions ${at}`} load={loadQuestions} given={{ record, imported }} />
  if (state === 'planned') return <Later key={`check ${at}`} load={loadCheck} given={{ record, imported }} />
  if (state === 'reading' || state === 'applying' || state === 'undoing')
    return <AtWork imported={imported} />
  return <Later key={`done ${at}`} load={loadDone} given={{ record, imported }} />
}

/** A step is at work: how far it is, and that nobody need wait here. */
function AtWork({ imported: { state, progress } }: { imported: Import }) {
  const { done = 0, total = null } = progress ?? {}
  const name = texts().states[state]
  return (
    <div class="section atwork">
      <p>
        <strong>{name}</strong> <span class="number">{texts().progress(done, total)}</span>
      </p>
      <progress aria-label={name} {...(total ? { max: total, value: Math.min(done, total) } : {})} />
      <p class="quiet">{texts().mayClose}</p>
    </div>
  )
}
