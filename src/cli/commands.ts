import { auditList } from './audit.ts'
import { backupCommand } from './backup.ts'
import { check } from './check.ts'
import { classCommands } from './classes.ts'
import type { Command } from './command.ts'
import { copy } from './copy.ts'
import { demo } from './demo.ts'
import { exportCommand } from './export.ts'
import { fieldCommands } from './fields-commands.ts'
import { importCommand } from './import.ts'
import { importList } from './import-list.ts'
import { importUndo } from './import-undo.ts'
import { keyRotate } from './keys.ts'
import { migrateCommand } from './migrate.ts'
import { openapi } from './openapi.ts'
import { restoreCommand } from './restore.ts'
import { roleCommands } from './roles.ts'
import { schoolCommands } from './school.ts'
import { serve } from './serve.ts'
import { userCommands } from './users.ts'

/** Every command, in the order of the overview. */
export const commands: readonly Command[] = [
  serve,
  demo,
  ...userCommands,
  ...roleCommands,
  ...schoolCommands,
  ...classCommands,
  ...fieldCommands,
  exportCommand,
  importList, // before `import`, whose FILE these would be
  importUndo,
  importCommand,
  auditList,
  backupCommand,
  restoreCommand,
  copy,
  check,
  migrateCommand,
  keyRotate,
  openapi,
]
