import type { Import } from '../../client/src/index.ts'
import { Said } from './told/said.tsx'
import { failureSaid, tellsPlace } from './told/told.ts'

/** Why an import was not finished; where the translation does not tell the place in the file, the server's words too. */
export function Screen({ code, detail }: NonNullable<Import['failure']>) {
  return (
    <>
      <p>
        <Said {...failureSaid({ code, detail })} />
      </p>
      {tellsPlace(code) && (
        <p class="hint" lang="en" dir="auto">
          {detail}
        </p>
      )}
    </>
  )
}
