import type { Steps } from './steps.ts'

/** The steps of imports. What they take is loaded at the first import. */
export const steps: Steps = {
  reading: async (...of) => (await import('./reading/read-import.ts')).readImport(...of),
  applying: async (...of) => (await import('./applying/apply.ts')).applyImport(...of),
  undoing: async (...of) => (await import('./applying/undo.ts')).undoImport(...of),
}
