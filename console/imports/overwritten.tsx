import type { Import } from '../../client/src/index.ts'
import { texts } from './texts.ts'
import { Said } from './told/said.tsx'
import { warningSaid } from './told/told.ts'

/** Says above the rows that some would make a child another one: below the button nobody looks for it. */
export function Overwritten({ imported }: { imported: Import }) {
  return (
    <div class="summary">
      {imported.warnings
        .filter(({ code }) => code === 'other_children')
        .map((warning) => (
          <strong key={warning.code}>
            <Said {...warningSaid(warning)} />
          </strong>
        ))}
      <a href={`#/imports/${imported.id}?show=change`}>~ {texts().outcomes.change}</a>
    </div>
  )
}
