import { cameFrom } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Title } from '../parts/title.tsx'
import { change } from '../students/query.ts'
import { LayoutChoice } from './layout-choice.tsx'
import { texts } from './texts.ts'

interface ToolbarProps<Kind extends string> {
  readonly kind: Kind
  readonly kinds: readonly Kind[]
  /** Where "Back" leads if this is the first screen that was opened. */
  readonly back: string
  /** Whether all is there that is to be printed. */
  readonly isReady: boolean
  /** How many there are, or how far it is. */
  readonly said?: string
  readonly children?: preact.ComponentChildren
}

/** What stands above a sheet, and not on paper. */
export function Toolbar<Kind extends keyof ReturnType<typeof texts>['kinds']>({
  kind,
  kinds,
  back,
  isReady,
  said,
  children,
}: ToolbarProps<Kind>) {
  const say = texts()
  return (
    <div class="unprinted">
      <div class="heading">
        <Title screen={t().screens.print}>{t().screens.print}</Title>
        <p class="quiet number" role="status">
          {said}
        </p>
      </div>
      <div class="print-tools">
        <LayoutChoice
          label={say.what}
          value={kind}
          choices={kinds.map((one) => [one, say.kinds[one]] as const)}
          onChosen={(as) => change({ as })}
        />
        {children}
      </div>
      <div class="actions">
        <button type="button" class="primary" aria-disabled={!isReady} onClick={() => isReady && print()}>
          {t().screens.print}
        </button>
        <a class="button" data-cancel href={cameFrom ?? back}>
          {say.back}
        </a>
        <p class="hint">{say.hint}</p>
      </div>
    </div>
  )
}
