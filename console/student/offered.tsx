import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { codeOf, type Failure, patiently } from '../api/calls.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Summary } from '../parts/fields.tsx'
import { useGiven, useLeaving } from '../parts/leaving.ts'
import { SaveButton } from '../parts/save-button.tsx'
import { Scroll } from '../parts/scroll.tsx'
import type { Typed } from './form.ts'
import { mayEdit } from './form.ts'
import { type Offer, offersOf, patchOfOffers, typedFor, typedForStudent } from './offers.ts'
import type { StudentRecord } from './record.ts'
import { labelOf } from './section-form.tsx'
import { texts } from './texts.ts'

/** What was typed for a new student, where it turned out to be this one: offered as changes. */
export function Offered({ record }: { record: StudentRecord }) {
  const typed = typedForStudent(record.id)
  const { value: read } = record.read
  if (typed === undefined || read === undefined || !mayEdit('child')) return null
  return <Offers record={record} typed={typed} offers={offersOf(read.student, typed)} />
}

function Offers({
  record,
  typed,
  offers,
}: {
  record: StudentRecord
  typed: Typed
  offers: readonly Offer[]
}) {
  /** What was chosen by hand; else what fills an empty place is. */
  const byHand = useSignal<Readonly<Record<string, boolean>>>({})
  const failure = useSignal<Failure | undefined>(undefined)
  const isSaving = useSignal(false)
  const given = useGiven()
  const place = useRef<HTMLHeadingElement>(null)
  useLeaving(() => offers.length > 0 && typedForStudent(record.id) !== undefined)
  useLayoutEffect(() => place.current?.focus(), [])
  const isChosen = ({ key, stands }: Offer) => byHand.value[key] ?? stands === ''
  const drop = () => (typedFor.value = undefined)

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving.value) return
    const chosen = offers.filter(isChosen)
    if (chosen.length === 0) return drop()
    isSaving.value = true
    failure.value = undefined
    const { student, tag } = record.read.value!
    const send = () => record.save(patchOfOffers(student, typed, chosen), tag)
    const failed = await patiently(send, (failed) => failed?.is === 'offline', given)
    isSaving.value = false
    if (failed === undefined) return drop()
    failure.value = failed
    if (codeOf(failed) === 'precondition_failed') await record.load() // and the rows are of what is there now
  }

  if (offers.length === 0) return null
  const errors = failure.value?.is === 'problem' ? failure.value.problem.errors : undefined
  return (
    <form class="check offers" data-save noValidate onSubmit={(event) => void save(event)}>
      <h2 tabIndex={-1} ref={place}>
        ? {texts().typedBefore}
      </h2>
      <p>{texts().typedHint}</p>
      <Summary faults={errors ?? []} labelOf={labelOf} />
      {failure.value && !errors && <Failed what={t().failed.save} failure={failure.value} />}
      <Scroll label={texts().typedBefore}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t().conflict.field}</th>
              <th scope="col">{texts().stands}</th>
              <th scope="col">{texts().typed}</th>
            </tr>
          </thead>
          <tbody>
            {offers.map((offer) => (
              <tr key={offer.key}>
                <th scope="row">
                  <span class="choice">
                    <input
                      type="checkbox"
                      id={`offer-${offer.key}`}
                      checked={isChosen(offer)}
                      onChange={({ currentTarget: { checked } }) =>
                        (byHand.value = { ...byHand.value, [offer.key]: checked })
                      }
                    />
                    <label for={`offer-${offer.key}`}>
                      <bdi>{offer.label}</bdi>
                    </label>
                  </span>
                </th>
                <td>
                  {offer.stands ? (
                    <bdi>{offer.stands}</bdi>
                  ) : (
                    <span class="quiet">{t().conflict.nothing}</span>
                  )}
                </td>
                <td>
                  <bdi>{offer.typed}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <div class="actions">
        <SaveButton isSaving={isSaving.value}>{texts().saveChosen}</SaveButton>
        <button type="button" onClick={drop}>
          {texts().leaveOut}
        </button>
      </div>
    </form>
  )
}
