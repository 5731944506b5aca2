import { t, textsOf } from '../language/language.ts'
import { numberIn } from '../language/plurals.ts'
import { answerWords } from './question-words.ts'
import { type Answers, type Question, suggestionOf } from './suggesting.ts'
import { subjectOf } from './words.ts'

interface SuggestedTexts {
  readonly offered: (count: number) => string
  readonly near: string
  readonly all: (count: number) => string
  readonly hint: string
}

const suggestedTexts = textsOf<SuggestedTexts>({
  en: {
    offered: (count) => `For ${numberIn('en', count)} classes of the file, a class is suggested:`,
    near: 'These differ in more than their spelling. Look twice:',
    all: (count) => `Use the suggested class for all ${numberIn('en', count)}`,
    hint: 'You can change each of them afterwards, under “Your answers”.',
  },
  de: {
    offered: (count) => `Für ${numberIn('de', count)} Klassen der Datei wird eine Klasse vorgeschlagen:`,
    near: 'Hier weicht mehr ab als die Schreibweise. Sehen Sie genau hin:',
    all: (count) => `Für alle ${numberIn('de', count)} die vorgeschlagene Klasse nehmen`,
    hint: 'Danach können Sie jede einzeln ändern, unter „Ihre Antworten“.',
  },
  ar: {
    offered: (count) => `صفوف في الملف يُقترح لكل منها صف: ${numberIn('ar', count)}`,
    near: 'هنا يختلف أكثر من طريقة الكتابة. انظر إليها جيدًا:',
    all: (count) => `استخدم الصف المقترح لها كلها (${numberIn('ar', count)})`,
    hint: 'يمكنك تغيير كل منها بعد ذلك تحت «إجاباتك».',
  },
})

interface SuggestedProps {
  readonly questions: readonly Question[]
  readonly take: (answers: Answers) => void
}

/** Answers all of them at once with what is suggested: which is listed first, so that a person sees it. */
export function Screen({ questions, take }: SuggestedProps) {
  const { offered, near, all, hint } = suggestedTexts()
  const [same, others] = (['spelling', 'near'] as const).map((likeness) =>
    questions.filter((one) => suggestionOf(one)?.likeness === likeness),
  ) as [Question[], Question[]]
  const answers = () => Object.fromEntries(questions.map((one) => [one.key, suggestionOf(one)!.answer]))
  return (
    <div class="check">
      <p>{offered(questions.length)}</p>
      <Pairs questions={same} />
      {others.length > 0 && <p>? {near}</p>}
      <Pairs questions={others} />
      <div class="actions">
        <button type="button" onClick={() => take(answers())}>
          {all(questions.length)}
        </button>
      </div>
      <p class="quiet">{hint}</p>
    </div>
  )
}

function suggestionWords(question: Question): string {
  const { answer, text } = suggestionOf(question)!
  return answerWords(question.key, answer, text)
}

function Pairs({ questions }: { questions: readonly Question[] }) {
  if (questions.length === 0) return null
  return (
    <ul class="pairs">
      {questions.map((one) => (
        <li key={one.key}>
          <bdi>{subjectOf(one.key)}</bdi> {t().arrow} <bdi>{suggestionWords(one)}</bdi>
        </li>
      ))}
    </ul>
  )
}
