import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Import } from '../../client/src/index.ts'
import { address, show } from '../frame/address.ts'
import { Later } from '../parts/later.tsx'
import { useLeaving } from '../parts/leaving.ts'
import { classes } from '../session/session.ts'
import { askedTexts } from './asked-texts.ts'
import { chosenTwice } from './chosen-twice.ts'
import { isWord, namings } from './namings.ts'
import { newFieldAnswer, newFieldIn } from './new-field.ts'
import { NewFieldTraits } from './new-field-traits.tsx'
import { answerWords, type Choice, questionWords, sampleWords } from './question-words.ts'
import type { ImportRecord } from './record.ts'
import { type Answers, type Question, suggested } from './suggesting.ts'
import { texts } from './texts.ts'

/** Beyond so many choices, the others stand in a list to choose from. */
const mostRadios = 6

/** Which questions are put one after another: offers only where somebody asks for them. */
function asked({ state, questions }: Import): readonly Question[] {
  const one = address.value.query.get('question')
  if (state === 'planned') return questions.filter(({ key }) => key === one)
  return questions.filter(({ key, required }) => required || key === 'admission_number')
}

/** Whether an answer is the reader's: a first number that is proposed is taken as it stands. */
const isOwn =
  (questions: readonly Question[]) =>
  ([key, answer]: readonly [string, string | number]) =>
    key !== 'admission_number' || questions.every(({ choices: [first] }) => first?.answer !== answer)

const loadFirst = () => import('./first-number.tsx')
const loadClear = () => import('./clear-mark.tsx')
const loadWord = () => import('./word-for-all.tsx')
const loadSuggested = () => import('./suggested.tsx')
const loadAbove = async () => ({ Screen: (await import('./warned.tsx')).Above })

/** Questions, one a page, below what is lost of the file; the answers are sent after the last. */
export const Questions = (given: { record: ImportRecord; imported: Import }) => (
  <>
    {given.imported.state === 'question' && given.imported.warnings.length > 0 && (
      <Later load={loadAbove} given={given} />
    )}
    <QuestionForm {...given} />
  </>
)

function QuestionForm({ record, imported }: { record: ImportRecord; imported: Import }) {
  const questions = asked(imported)
  const answers = useSignal<Answers>({})
  const taken = useSignal<ReadonlySet<string>>(new Set()) // all at once: they are not put one by one
  const at = useSignal(0)
  const isUnanswered = useSignal(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [at.value])
  useLeaving(() => Object.entries(answers.value).some(isOwn(questions)))
  const question = questions[at.value]
  if (question === undefined) return null
  const { key, required } = question
  const again = chosenTwice(question, imported.answers)
  const before = record.asked.value
  const offered = suggested(questions, at.value, answers.value)

  function turnTo(next: number): void {
    isUnanswered.value = false
    at.value = next
  }
  async function go(): Promise<void> {
    const next = questions.findIndex(({ key }, i) => i > at.value && !taken.value.has(key))
    if (next > 0) return turnTo(next)
    const isSent = await record.answer(answers.value, questions.length)
    if (isSent && address.value.query.has('question')) show(new URLSearchParams())
  }
  const takeAll = (all: Answers) => {
    answers.value = { ...answers.value, ...all }
    taken.value = new Set(Object.keys(all))
    void go()
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    const answer = answers.value[key]
    isUnanswered.value = String(answer ?? '').trim() === ''
    if (!isUnanswered.value) return void go()
    document.querySelector<HTMLElement>('main form input, main form select')?.focus()
  }
  const skip = () => {
    const { [key]: _, ...others } = answers.value
    answers.value = others
    if (imported.state === 'planned') show(new URLSearchParams())
    else void go()
  }
  return (
    <form class="form section" noValidate onSubmit={onSubmit}>
      <p class="caption quiet">{texts().question(before + at.value + 1, before + questions.length)}</p>
      <h2 ref={heading} tabIndex={-1} id="question" aria-describedby={again && 'asked-again'}>
        {questionWords(key, question.text, question)}
      </h2>
      {again && (
        <p class="fault" id="asked-again">
          × {again}
        </p>
      )}
      <Samples of={question} />
      {offered.length > 0 && <Later load={loadSuggested} given={{ questions: offered, take: takeAll }} />}
      {isUnanswered.value && (
        <p class="fault" role="alert" id="question-fault">
          × {key === 'admission_number' ? askedTexts().endInDigits : texts().choose}
        </p>
      )}
      <Input key={key} question={question} answers={answers} />
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={record.isBusy.value}>
          {texts().next}
        </button>
        {at.value > 0 && (
          <button type="button" onClick={() => turnTo(at.value - 1)}>
            {texts().previous}
          </button>
        )}
        {!required && (
          <button type="button" onClick={skip}>
            {key === 'admission_number' ? askedTexts().skipNumbers : texts().skip}
          </button>
        )}
      </div>
    </form>
  )
}

/** Cells of the column that is asked about. */
function Samples({ of: { key, choices, rows, samples: names = [] } }: { of: Question }) {
  if (key.startsWith('class.'))
    return (
      <p>
        {rows !== undefined && texts().childrenIn(rows)} <Cells cells={names} />
        {rows !== undefined && rows > 1 && <span class="under">{texts().ofSeveralClasses}</span>}
      </p>
    )
  if (!key.startsWith('column.')) return null
  const { samples = [], hidden } = choices[0] ?? {}
  if (hidden) return <p class="quiet">{texts().hiddenCells}</p>
  return samples.length === 0 ? null : (
    <p>
      {texts().cells} <Cells cells={samples} />
    </p>
  )
}

const Cells = ({ cells }: { cells: readonly string[] }) =>
  cells.map((cell, i) => (
    <span key={i}>
      <bdi class="cell">{cell}</bdi>{' '}
    </span>
  ))

interface InputProps {
  readonly question: Question
  readonly answers: Signal<Answers>
}

function Input({ question: { key, choices }, answers }: InputProps) {
  const answer = answers.value[key]
  const take = (value: string | number) => {
    answers.value = { ...answers.value, [key]: value }
  }
  if (key === 'admission_number')
    return <Later load={loadFirst} given={{ series: String(answer ?? choices[0]?.answer ?? ''), take }} />
  if (key === 'clear') return <Later load={loadClear} given={{ mark: String(answer ?? ''), take }} />
  const isNaming = key === 'guardian_name'
  const radios = isNaming ? namings(choices, answer) : radiosOf(key, choices)
  const listed = othersOf(key, choices, radios)
  const isListed = listed.some((one) => one.answer === answer)
  return (
    <fieldset aria-labelledby="question">
      {radios.map((choice, i) => (
        <div class="choice" key={choice.answer}>
          <input
            type="radio"
            name="answer"
            id={`answer-${i}`}
            checked={isMeant(choice, answer)}
            onChange={() => take(proposed(choice))}
          />
          <label for={`answer-${i}`}>
            <bdi>{answerWords(key, choice.answer, choice.text)}</bdi>
            {!key.startsWith('column.') && choice.samples && (
              <span class="under">
                <Cells cells={choice.samples.map((sample) => sampleWords(key, sample))} />
              </span>
            )}
          </label>
        </div>
      ))}
      {key.startsWith('column.') && <NewFieldTraits name="new" answer={answer} take={take} />}
      {isNaming && isWord(answer) && <Later load={loadWord} given={{ word: answer, take }} />}
      {listed.length > 0 && (
        <div class="field">
          <label for="answer-other">{key.includes('class') ? texts().anotherClass : texts().another}</label>
          <select
            id="answer-other"
            value={isListed ? String(answer) : ''}
            onChange={({ currentTarget: { value } }) =>
              take(listed.find((one) => String(one.answer) === value)?.answer ?? '')
            }
          >
            <option value="" />
            {listed.map((choice) => (
              <option key={choice.answer} value={String(choice.answer)} selected={choice.answer === answer}>
                {listedWords(key, choice)}
              </option>
            ))}
          </select>
        </div>
      )}
    </fieldset>
  )
}

/** Whether a choice is what was answered: a new field is, of whichever kind. */
const isMeant = (choice: Choice, answer: string | number | undefined) =>
  choice.answer === answer || (choice.answer === 'new_field' && newFieldIn(answer) !== undefined)

/** What a choice answers at first: a new field is of the kind that the cells are. */
const proposed = ({ answer, kinds = [] }: Choice) =>
  answer === 'new_field' ? newFieldAnswer({ kind: kinds[0] ?? 'text', isSensitive: false }) : answer

/** A choice of a list, with the cells of the file that it is about. */
function listedWords(key: string, { answer, text, samples = [] }: Choice): string {
  const words = answerWords(key, answer, text)
  return key.startsWith('column.') || samples.length === 0 ? words : `${words}: ${samples.join(' · ')}`
}

/** How many classes, of many that are offered, stand beside the other answers. */
const nearestClasses = 3

/**
 * The likely answers. Of a column: what it may mean by its heading, and that it is left out or new. Of a class: the
 * nearest, and that it is made or its rows left out.
 */
function radiosOf(key: string, choices: readonly Choice[]): readonly Choice[] {
  if (choices.length <= mostRadios) return choices
  if (key.startsWith('class.')) {
    const far = choices.filter(({ answer }) => typeof answer === 'number').slice(nearestClasses)
    return choices.filter((choice) => !far.includes(choice))
  }
  const last = choices.findLastIndex(({ answer }) => answer === 'leave_out' || answer === 'new_field')
  return key.startsWith('column.') ? choices.slice(0, last + 1) : choices.slice(0, nearestClasses)
}

/** What can be answered besides: of classes, any that takes students. */
function othersOf(key: string, choices: readonly Choice[], radios: readonly Choice[]): readonly Choice[] {
  if (!key.startsWith('class.')) return choices.slice(radios.length)
  const known = new Set(radios.map(({ answer }) => answer))
  return classes.value
    .filter(({ id, archived }) => !archived && !known.has(id))
    .map(({ id, label }) => ({ answer: id, text: label }))
}
