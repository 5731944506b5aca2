import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Failure } from '../api/calls.ts'
import { t, textsOf } from '../language/language.ts'
import { numberIn, plural } from '../language/plurals.ts'
import { Failed } from '../parts/failed.tsx'
import { rows as rowsAr } from './ar.ts'
import { rows as rowsDe } from './de.ts'
import type { Choices, Chosen } from './decided.ts'
import { rows as rowsEn } from './en.ts'
import { keptNames } from './kept-names.ts'
import { plainTwins } from './plain-twins.ts'
import type { ImportRecord } from './record.ts'

type Counted = (count: number) => string

/** Beside what says it: no other screen of imports does. */
const allSameTexts = textsOf<Readonly<Record<'allAlike' | 'allSame' | 'allChosen', Counted>>>({
  en: {
    allAlike: (count) => `${rowsEn(count)} have the name and date of birth of exactly one student.`,
    allSame: (count) => `For all ${numberIn('en', count)}: same child`,
    allChosen: (count) =>
      plural.en(count, {
        one: '“Same child” is chosen for # row. You can change it below.',
        other: '“Same child” is chosen for # rows. You can change single ones below.',
      }),
  },
  de: {
    allAlike: (count) =>
      `${rowsDe(count)} haben Namen und Geburtsdatum von genau einem Kind, das schon eingetragen ist.`,
    allSame: (count) => `Bei allen ${numberIn('de', count)}: dasselbe Kind`,
    allChosen: (count) =>
      plural.de(count, {
        one: 'Bei # Zeile ist „Dasselbe Kind“ gewählt. Sie können es unten ändern.',
        other: 'Bei # Zeilen ist „Dasselbe Kind“ gewählt. Einzelne können Sie unten ändern.',
      }),
  },
  ar: {
    allAlike: (count) =>
      `أسطر يطابق كلٌّ منها طالبًا مسجّلًا واحدًا في الاسم وتاريخ الميلاد: ${numberIn('ar', count)}.`,
    allSame: (count) => `للكل (${numberIn('ar', count)}): الطالب نفسه`,
    allChosen: (count) => `اختير «الطالب نفسه»: ${rowsAr(count)}. يمكنك تغيير الاختيار لكل سطر أدناه.`,
  },
})

/** Fewer rows are looked at one by one. */
const fewest = 2

/** Settles all rows at once that have name and date of birth of one student: chosen below, and to be sent. */
export function AllSame({ record }: { record: ImportRecord }) {
  const twins = useSignal<Choices>({})
  const failure = useSignal<Failure | undefined>(undefined)
  const done = useSignal(0)
  const said = useRef<HTMLParagraphElement>(null)
  async function load(): Promise<void> {
    const came = await plainTwins(record.id)
    failure.value = 'is' in came && typeof came.is === 'string' ? (came as Failure) : undefined
    if (failure.value === undefined) twins.value = came as Choices
  }
  useEffect(() => void load(), [])
  const open = Object.entries(twins.value).filter(([place]) => !(place in record.choices.value))
  function choose(decision: Chosen['decision']): void {
    const chosen = open.map(([place, twin]) => [place, { ...twin, decision }] as const)
    record.choices.value = { ...record.choices.value, ...Object.fromEntries(chosen) }
    done.value = open.length
    said.current?.focus() // the button goes
  }
  return (
    <>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {open.length >= fewest && (
        <div class="check">
          <p>? {allSameTexts().allAlike(open.length)}</p>
          <div class="actions">
            <button type="button" onClick={() => choose('same')}>
              {allSameTexts().allSame(open.length)}
            </button>
            <button type="button" onClick={() => choose('same_keep_name')}>
              {keptNames().all}
            </button>
          </div>
        </div>
      )}
      <p role="status" tabIndex={-1} ref={said}>
        {done.value > 0 && allSameTexts().allChosen(done.value)}
      </p>
    </>
  )
}
