import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Class } from '../../client/src/index.ts'
import type { Failure } from '../api/calls.ts'
import { printPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { useReturn } from '../parts/leaving.ts'
import { Order } from '../parts/order.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Title } from '../parts/title.tsx'
import { classes, may, mayForAll, session } from '../session/session.ts'
import { act, load, tell } from './changes.ts'
import { NewClasses } from './new-classes.tsx'
import { Row } from './row.tsx'
import { texts } from './texts.ts'

/** The classes, in their order: those in use, then the archived ones. */
export function Screen() {
  const mode = useSignal<'list' | 'add' | 'order'>('list')
  const failed = useSignal<{ what: 'load' | 'save'; failure: Failure } | undefined>(undefined)
  const isLoaded = useSignal(classes.value.length > 0)
  const { is } = session.value

  async function read(): Promise<void> {
    const failure = await load()
    failed.value = failure && { what: 'load', failure }
    isLoaded.value = failure === undefined
  }
  useEffect(() => {
    if (is === 'in') void read()
  }, [is])
  const onDone = (failure: Failure | undefined) => {
    failed.value = failure && { what: 'save', failure }
  }
  const close = () => {
    mode.value = 'list'
  }
  useReturn(mode.value !== 'list', () => document.querySelector('h1'))

  const inUse = classes.value.filter(({ archived }) => !archived)
  const archived = classes.value.filter((one) => one.archived)
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.classes}>{t().screens.classes}</Title>
        <p class="quiet number">{isLoaded.value && texts().count(inUse.length)}</p>
      </div>
      {mode.value === 'list' && (
        <div class="tools limited">
          <div class="end">
            {may('students.view') && classes.value.some(({ students }) => students > 0) && (
              <a class="button" href={printPath({ as: 'classes' })}>
                {texts().printAll}
              </a>
            )}
            {mayForAll('classes.manage') && inUse.length > 1 && (
              <button type="button" onClick={() => (mode.value = 'order')}>
                {texts().order}
              </button>
            )}
            {mayForAll('classes.manage') && (
              <>
                <a class="button" href="#/imports?kind=classes">
                  {texts().import}
                </a>
                <button type="button" class="primary" onClick={() => (mode.value = 'add')}>
                  {texts().add}
                </button>
              </>
            )}
          </div>
        </div>
      )}
      {failed.value && (
        <Failed
          what={t().failed[failed.value.what]}
          failure={failed.value.failure}
          again={failed.value.what === 'load' ? read : undefined}
        />
      )}
      {mode.value === 'add' && <NewClasses close={close} />}
      {mode.value === 'order' ? (
        <Order
          records={() => classes.value}
          say={texts()}
          put={(one, position) => act(one, { position })}
          load={load}
          onMoved={(moved) => void tell(() => texts().ordered, moved)}
          close={close}
        />
      ) : (
        <>
          {isLoaded.value && classes.value.length === 0 && <p class="nothing">{texts().none}</p>}
          {inUse.length > 0 && <Table caption={t().screens.classes} rows={inUse} onDone={onDone} />}
          {archived.length > 0 && (
            <>
              <h2 class="further">{texts().archived}</h2>
              <p class="hint">{texts().archivedHint}</p>
              <Table caption={texts().archived} rows={archived} onDone={onDone} />
            </>
          )}
        </>
      )}
    </>
  )
}

interface TableProps {
  readonly caption: string
  readonly rows: readonly Class[]
  readonly onDone: (failure: Failure | undefined) => void
}

function Table({ caption, rows, onDone }: TableProps) {
  return (
    <Scroll label={caption} shape="limited">
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{texts().label}</th>
            <th scope="col">{texts().students}</th>
            <th scope="col">
              <span class="unseen">{texts().change}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <Row key={one.id} shown={one} onDone={onDone} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
