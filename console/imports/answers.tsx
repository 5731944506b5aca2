import type { Import } from '../../client/src/index.ts'
import { Later } from '../parts/later.tsx'
import { classes, mayForAll } from '../session/session.ts'
import { NamedAnswers } from './named-answers.tsx'
import { newFieldWords } from './new-field-words.ts'
import { answerWords, questionWords } from './question-words.ts'
import type { ImportRecord } from './record.ts'
import { texts } from './texts.ts'

const loadDecided = async () => ({ Screen: (await import('./decided-rows.tsx')).DecidedRows })

const labelOf = (answer: string | number) =>
  classes.value.find(({ id }) => typeof answer === 'number' && id === answer)?.label ?? String(answer)

/** Who holds it for all classes gives answers to the whole school. */
const permissionFor = { students: 'students.import', classes: 'classes.manage' } as const

/** What was answered, each with the way back to its question; and what may be answered besides. */
export function Answers({ record, imported }: { record: ImportRecord; imported: Import }) {
  const given = Object.entries(imported.answers)
  const { questions } = imported
  return (
    <>
      <Later key="decided" load={loadDecided} given={{ record }} />
      {given.length > 0 && (
        <section class="section">
          <h2>{texts().answers}</h2>
          <dl class="values">
            {given.map(([key, answer]) => (
              <div key={key}>
                <dt>{questionWords(key, key)}</dt>
                <dd>
                  <bdi>
                    {answerWords(key, answer, labelOf(answer))}
                    {newFieldWords(answer)}
                  </bdi>{' '}
                  <button
                    type="button"
                    class="plain"
                    aria-label={texts().changeOne(questionWords(key, key))}
                    onClick={() => void record.patch({ answers: { [key]: null } })}
                  >
                    {texts().change}
                  </button>
                </dd>
              </div>
            ))}
          </dl>
          {mayForAll(permissionFor[imported.kind]) && <NamedAnswers record={record} imported={imported} />}
        </section>
      )}
      {questions.length > 0 && (
        <section class="section">
          <h2>{texts().offers}</h2>
          <ul>
            {questions.map((question) => (
              <li key={question.key}>
                {questionWords(question.key, question.text, question)}{' '}
                <a
                  href={`#/imports/${imported.id}?${new URLSearchParams({ question: question.key })}`}
                  aria-label={`${texts().answer}: ${questionWords(question.key, question.text, question)}`}
                >
                  {texts().answer}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
