import type { Import } from '../../client/src/index.ts'
import { texts } from './texts.ts'
import { Said } from './told/said.tsx'
import { warningSaid } from './told/told.ts'

/**
 * Says above the rows that some would make a child another one, or that the file has lost letters: below the button
 * nobody looks for it.
 */
export function Overwritten({ imported }: { imported: Import }) {
  const others = imported.warnings.filter(({ code }) => code === 'other_children')
  const letters = imported.warnings.filter(({ code }) => code === 'letters_lost')
  return (
    <div class="summary">
      {[...others, ...letters].map((warning) => (
        <strong key={`${warning.code} ${warning.params?.heading}`}>
          <Said {...warningSaid(warning)} />
        </strong>
      ))}
      {others.length > 0 && <a href={`#/imports/${imported.id}?show=change`}>~ {texts().outcomes.change}</a>}
    </div>
  )
}
