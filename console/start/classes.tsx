import { useSignal } from '@preact/signals'
import { NewClasses } from '../classes/new-classes.tsx'
import { goTo } from '../frame/address.ts'
import { notice, tellAt } from '../frame/notice.tsx'
import { Name } from '../parts/name.tsx'
import { classes } from '../session/session.ts'
import { RenameClasses } from './rename-classes.tsx'
import { texts } from './texts.ts'

const ways = ['keep', 'rename', 'replace'] as const

/** The classes that are there: kept, renamed, or replaced by a list where nobody was ever in them. */
export function ClassesStep({ next }: { next: string }) {
  const way = useSignal<(typeof ways)[number]>('keep')
  const inUse = classes.value.filter(({ archived }) => !archived)
  const keep = () => (way.value = 'keep')
  /** What was told here is told there too, with its undo. */
  const goOn = () => (notice.value === undefined ? goTo(next) : tellAt(next, notice.value))
  if (inUse.length === 0)
    return (
      <>
        <p>{texts().noClasses}</p>
        <NewClasses close={goOn} replaces />
      </>
    )
  return (
    <>
      <p>
        {texts().classes(inUse.length)}{' '}
        {inUse.map(({ id, label }, i) => (
          <span key={id}>
            {i > 0 && ' · '}
            <Name>{label}</Name>
          </span>
        ))}
      </p>
      <fieldset class="field">
        <legend>{texts().ask}</legend>
        {ways.map((one) => (
          <div class="choice" key={one}>
            <input
              type="radio"
              name="way"
              id={`way-${one}`}
              checked={way.value === one}
              onChange={() => (way.value = one)}
            />
            <label for={`way-${one}`}>{texts().ways[one]}</label>
          </div>
        ))}
      </fieldset>
      {way.value === 'keep' && (
        <div class="actions">
          <a class="button primary" href={next}>
            {texts().on}
          </a>
        </div>
      )}
      {way.value === 'rename' && <RenameClasses close={keep} onRenamed={goOn} />}
      {way.value === 'replace' && <NewClasses close={keep} onMade={goOn} replaces />}
    </>
  )
}
