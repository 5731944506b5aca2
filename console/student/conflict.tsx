import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { Scroll } from '../parts/scroll.tsx'
import type { Typed } from './form.ts'

/** A field that was changed here and elsewhere. */
export interface Differing {
  readonly pointer: string
  readonly before: string
  readonly theirs: string
  readonly yours: string
}

/**
 * The fields that both changed, and not to the same.
 * @param isMerged whether what only they changed is in the form already; else it is listed too
 */
export function differing(before: Typed, theirs: Typed, yours: Typed, isMerged: boolean): Differing[] {
  const pointers = [...new Set([...Object.keys(theirs), ...Object.keys(yours)])]
  return pointers
    .map((pointer) => ({
      pointer,
      before: before[pointer] ?? '',
      theirs: theirs[pointer] ?? '',
      yours: yours[pointer] ?? '',
    }))
    .filter(
      ({ before, theirs, yours }) => theirs !== before && theirs !== yours && (yours !== before || !isMerged),
    )
}

interface ConflictProps {
  readonly differing: readonly Differing[]
  readonly labelOf: (pointer: string) => string
  /** How a value is shown that is no text; without it, as it is. */
  readonly shownOf?: ((pointer: string, value: string) => string) | undefined
  readonly typed: Typed
  readonly onTyped: (typed: Typed) => void
}

/** What stood there, what they made of it, and what was typed here: a row a field, a choice a row. */
export function Conflict({ differing, labelOf, shownOf, typed, onTyped }: ConflictProps) {
  const texts = t().conflict
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.focus(), [differing])
  const shown = (pointer: string, text: string) =>
    text === '' ? <span class="quiet">{texts.nothing}</span> : <bdi>{shownOf?.(pointer, text) ?? text}</bdi>
  return (
    <div class="check" role="alert" tabIndex={-1} ref={place}>
      <strong>? {texts.title}</strong>
      <p>{differing.length > 0 ? texts.text : texts.apart}</p>
      {differing.length > 0 && (
        <Scroll label={texts.title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.field}</th>
                <th scope="col">{texts.before}</th>
                <th scope="col">{texts.theirs}</th>
                <th scope="col">{texts.yours}</th>
              </tr>
            </thead>
            <tbody>
              {differing.map(({ pointer, before, theirs, yours }) => (
                <tr key={pointer}>
                  <th scope="row">{labelOf(pointer)}</th>
                  <td>{shown(pointer, before)}</td>
                  {[
                    [texts.takeTheirs, theirs],
                    [texts.takeYours, yours],
                  ].map(([label, value], i) => (
                    <td key={label}>
                      <div class="choice">
                        <input
                          type="radio"
                          id={`${pointer}-${i}`}
                          name={pointer}
                          aria-label={`${labelOf(pointer)}: ${label}`}
                          checked={typed[pointer] === value}
                          onChange={() => onTyped({ ...typed, [pointer]: value! })}
                        />
                        <label for={`${pointer}-${i}`}>{shown(pointer, value!)}</label>
                      </div>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </div>
  )
}
