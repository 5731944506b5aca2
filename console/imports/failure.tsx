import type { Import } from '../../client/src/index.ts'
import { Said } from './told/said.tsx'
import { failureSaid } from './told/told.ts'

/** Why an import was not finished. */
export const Screen = (failure: NonNullable<Import['failure']>) => (
  <p>
    <Said {...failureSaid(failure)} />
  </p>
)
