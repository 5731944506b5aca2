/** Every setting. `readConfig` reads these, and `docs/settings.md` lists them. */
export const settingNames = [
  'HOST',
  'PORT',
  'DATABASE_URL',
  'DATABASE_POOL',
  'DATABASE_PREPARE',
  'MIGRATE',
  'DRAIN_SECONDS',
  'LOG_LEVEL',
  'TOKEN_TTL',
  'TOKEN_SECRET',
  'REGISTRATION',
  'REGISTRATION_LIMIT',
  'IMPORT_MAX_BYTES',
  'DEFAULT_ROLE',
  'FIRST_ADMIN',
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD_FILE',
  'PASSWORD_POLICY',
  'TRUST_PROXY',
  'CORS_ORIGINS',
  'CONSOLE_IDLE_MINUTES',
] as const

export type SettingName = (typeof settingNames)[number]

/** Short names are near by one edit, since many words are two edits apart: HOME is not HOST. */
const mostEdits = (name: string) => (name.length > 10 ? 2 : 1)

/** Whether this is the name of a setting. */
export function isSetting(name: string): name is SettingName {
  return (settingNames as readonly string[]).includes(name)
}

/** The setting that a misspelt name stands for, if it is near to one. The case of letters does not count. */
export function settingNear(name: string): SettingName | undefined {
  const near = settingNames.map((known) => ({ known, edits: editsBetween(name.toUpperCase(), known) }))
  const [nearest] = near.sort((a, b) => a.edits - b.edits)
  return nearest !== undefined && nearest.edits <= mostEdits(nearest.known) ? nearest.known : undefined
}

/** How many letters to add, drop, replace, or swap with the next (Damerau and Levenshtein, restricted). */
function editsBetween(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwap ? before[j - 2]! + 1 : replaced
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, swapped))
    }
    before = last
    last = row
  }
  return last[to.length]!
}
