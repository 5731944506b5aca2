import type { Static } from '../../http/json-schema.ts'
import type { Import, ListedImport } from '../messages.ts'
import { type Choice, type ImportRow, isAtWork, type Question } from '../model.ts'
import type { ListedRow } from '../queries.ts'

/** What someone sees of cells whose students are not known: a name of `columns.ts`; undefined: any column. */
export type SeesColumn = (column: string | undefined) => boolean

/** An import as a list shows it. */
export function shownInList(imported: ListedRow): Static<typeof ListedImport> {
  const { done, total, user_id, command } = imported
  return {
    id: imported.id,
    kind: imported.kind,
    mode: imported.mode,
    state: imported.state,
    file: { name: imported.file_name, format: imported.file_format, bytes: imported.file_bytes },
    // A command that undoes what an account made is noted, too.
    made_by: user_id === null ? { ...(command !== null && { command }) } : { user_id },
    created_at: imported.created_at,
    updated_at: imported.updated_at,
    counts: imported.counts,
    progress: isAtWork(imported.state) ? { done, total } : null,
    failure: imported.failure,
    change_set_id: imported.change_set_id,
    undo_change_set_id: imported.undo_set_id,
    emptied: imported.emptied_at !== null,
  }
}

/** An import as it is shown to someone. */
export function shownImport(imported: ImportRow, sees: SeesColumn): Static<typeof Import> {
  const { facts } = imported
  const listed = shownInList(imported)
  return {
    ...listed,
    file: {
      ...listed.file,
      encoding: facts?.encoding ?? null,
      delimiter: facts?.delimiter ?? null,
      header: facts === null ? null : [...facts.header],
      sheets: [...(facts?.sheets ?? [])],
    },
    questions: imported.questions.map((question) => shownQuestion(question, sees)),
    answers: answersShown(imported),
    decided: facts?.decided ?? {},
    warnings: [...(facts?.warnings ?? [])],
    mapping: facts?.mapping ?? null,
    new_fields: [...(imported.makes?.fields ?? [])],
  }
}

function shownQuestion({ choices, samples, ...question }: Question, sees: SeesColumn) {
  const told = samples && sees('name') ? { samples: [...samples] } : {}
  return { ...question, ...told, choices: choices.map((choice) => shownChoice(choice, sees)) }
}

function shownChoice({ samples, about, kinds, ...choice }: Choice, sees: SeesColumn) {
  const told = { ...choice, ...(kinds && sees(about) && { kinds: [...kinds] }) }
  if (samples === undefined) return told
  return sees(about) ? { ...told, samples: [...samples] } : { ...told, hidden: true as const }
}

/** The answers to what the file asks. Those that are kept for classes which it does not name stay, and are not told. */
function answersShown({ settings, facts }: ImportRow): ImportRow['settings'] {
  const absent = new Set(facts?.absent)
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !absent.has(key)))
}
