import type { Db, Instant } from '../../db/tables.ts'
import type { Author } from '../../events/write.ts'
import type { Static } from '../../http/json-schema.ts'
import { faultsProblem } from '../../http/validation.ts'
import { columnsOfAuthor } from '../acting.ts'
import { faultOfMappingName, keepAnswers } from '../mappings/kept-answers.ts'
import type { FileFacts, ImportRow } from '../model.ts'
import { authorityOrNone, basisFor } from '../planning/basis.ts'
import { kindOfAnswer } from '../questions/answer-rules.ts'
import { patchAnswers } from '../questions/answers.ts'
import { usableSchool } from '../reading-rules.ts'
import type { updateImport } from '../schema.ts'
import { moveTo, withTakenBack, wrongState } from '../states.ts'
import { checkShowsNoMore } from './others-answers.ts'
import { putDecisions } from './row-decisions.ts'

type Patch = Static<typeof updateImport.body>

/**
 * Takes answers and decisions; then the import is read and planned anew with them, by the permissions of who gives them.
 * @throws Problem import_state, validation_failed with all that is wrong, or permission_denied
 */
export async function continueImport(
  tx: Db,
  before: ImportRow,
  { answers = {}, decisions = [], mapping_name: name }: Patch,
  by: Author,
  now: Instant,
): Promise<void> {
  const { id, state } = before
  if (state !== 'question' && state !== 'planned') throw wrongState(before, 'changed')
  const { kind, facts: file } = before
  const school = usableSchool(await basisFor(tx, by.userId))
  const answerable = { kind, file, school }
  const { settings, faults } = patchAnswers(before, answers, answerable)
  const ofRows = await putDecisions(tx, before, decisions, by.userId)
  const ofName = name === undefined ? undefined : await faultOfMappingName(tx, before, by.userId, name)
  const all = [...faults, ...ofRows, ...(ofName ? [{ pointer: '/mapping_name', ...ofName }] : [])]
  if (all.length > 0) throw faultsProblem(all)
  if (before.user_id === null || before.user_id !== by.userId)
    checkShowsNoMore(before, answers, await authorityOrNone(tx, by.userId), school.fields)
  let facts: FileFacts | null = before.facts
  if (name !== undefined && facts !== null)
    facts = { ...facts, mapping: await keepAnswers(tx, { ...before, settings, facts }, by.userId, now, name) }
  const isReadAnew = Object.keys({ ...before.settings, ...settings }).some(
    (key) => kindOfAnswer(key)?.decides === 'how the file is read' && settings[key] !== before.settings[key],
  )
  const takenBack = [...before.taken_back, ...Object.keys(answers).filter((key) => answers[key] === null)]
  await moveTo(tx, id, [state], 'reading', now, {
    ...{ questions: [], counts: null, facts: isReadAnew ? null : facts },
    settings: withTakenBack(settings, takenBack),
    ...columnsOfAuthor(by),
  })
}
