import type { Generated } from 'kysely'
import type { Instant, RecordColumns } from './tables.ts'

/** The tables of imports. */
export interface ImportTables {
  /** Imports of files; see `imports/model.ts`. */
  imports: RecordColumns & {
    kind: string
    mode: string
    state: string
    /** Who made it; null: a command. No reference, since accounts can be removed. */
    user_id: number | null
    command: string | null
    /** Of the request that made it, or that has it applied or undone. */
    address: string | null
    request_id: string | null
    file_name: string | null
    /** `csv` or `xlsx`; null until it is known. */
    file_format: string | null
    file_bytes: number
    /** The SHA-256 of the file; null until all of it came. */
    file_hash: Uint8Array | null
    /** JSON: what is known of the file once its rows are read; null: they are not. */
    facts: string | null
    /** JSON: what was answered, by the keys of questions. */
    settings: string
    /** JSON: what is asked; null: nothing. */
    questions: string | null
    /** JSON: how many rows have each outcome; null: there is no plan. */
    counts: string | null
    /** How many rows the step at work has done, and of how many; null: not known. */
    done: number
    total: number | null
    /** JSON: `{ code, detail }`, why it was refused, or failed. */
    failure: string | null
    /** By whose permissions it was planned, and what those were. */
    planned_for: number | null
    planned_scopes: string | null
    /** JSON: the own fields that it makes before its rows are applied, and the newest student as it was planned. */
    makes: string | null
    /** What it changed, once it is applied. */
    change_set_id: number | null
    /** What undoes that, as far as it has. */
    undo_set_id: number | null
    /** The place of the last row that is applied, and of the one that was undone last; null: none. */
    applied_to: number | null
    undone_from: number | null
    /** The instance that works on it, and until when it has said that it does. */
    leased_by: string | null
    leased_until: Instant | null
    /** How often an instance took it on since its state was asked for. */
    tries: Generated<number>
    /** When its bytes and rows were erased. */
    emptied_at: Instant | null
  }
  /** The bytes of a file, in pieces of 256 KiB, from place 0. */
  import_chunks: { import_id: number; place: number; bytes: Uint8Array }
  /** The rows of a file below its header; `place` as `placeOf` makes it, `cells` a JSON array of texts. */
  import_rows: { import_id: number; place: number; cells: string }
  /** What is planned for each row. */
  import_plan: {
    import_id: number
    place: number
    outcome: string
    /** The record that the row matches. The log has the one that it has made, at the same place. */
    record_id: number | null
    record_version: number | null
    /** The class that the row names, as far as the account that planned may know it. */
    class_id: number | null
    /** The key of the admission number that the row gives or is matched by; null: none. */
    number_key: string | null
    /** JSON: for each column that changes, what stands and what would; null: nothing changes. */
    changes: string | null
    /** JSON: an array of `PlannedCell`, why the row is refused or doubtful; null: none. */
    cells: string | null
    /** What equal changes have in common, for groups of them. */
    likeness: string | null
    /** 1 where the record changed since an earlier plan. */
    outdated: Generated<number>
    /** JSON: names of fields that an undo left as they are, since they were changed afterwards. */
    kept: string | null
  }
  /** What people decided on rows; it outlives a plan. A doubtful row has several choices; any row can be left out. */
  import_decisions: {
    import_id: number
    place: number
    decision: string
    record_id: number | null
    /** JSON: whom, and which rows, it is about; see `asked-anew.ts`. Null: not known. */
    about: string | null
  }
  /** Answers that the school keeps for files with the same headings. */
  import_mappings: RecordColumns & {
    kind: string
    name: string
    name_key: string
    /** JSON: the folded headings, in order. */
    headings: string
    /** JSON: answers by the keys of questions. */
    answers: string
  }
}
