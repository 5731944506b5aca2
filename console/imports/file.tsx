import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { createImport, type Import } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { goTo, openForms } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { sentName } from './file-name.ts'
import { ImportSteps } from './steps.tsx'
import { texts } from './texts.ts'

const modes = ['upsert', 'create', 'update', 'mirror'] as const

/** The first step: what the file may do, and the file. Of a file of classes there is nothing to choose. */
export function FileForm({ kind }: { kind: Import['kind'] }) {
  const mode = useSignal<(typeof modes)[number]>('upsert')
  const chosen = useSignal<File | undefined>(undefined)
  const pasted = useSignal('')
  const isSending = useSignal(false)
  const isEmpty = useSignal(false)
  const failure = useSignal<Failure | undefined>(undefined)

  useLayoutEffect(() => {
    const over = (event: DragEvent) => event.preventDefault()
    const drop = (event: DragEvent) => {
      event.preventDefault()
      const file = event.dataTransfer?.files[0]
      if (file) chosen.value = file
    }
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    const isTyped = () => pasted.value.trim() !== ''
    openForms.add(isTyped)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
      openForms.delete(isTyped)
    }
  }, [])

  async function send(event: Event): Promise<void> {
    event.preventDefault()
    if (isSending.value) return
    const body: Blob = chosen.value ?? new Blob([pasted.value], { type: 'text/plain' })
    isEmpty.value = chosen.value === undefined && pasted.value.trim() === ''
    if (isEmpty.value) return document.getElementById('file')?.focus()
    isSending.value = true
    failure.value = undefined
    const name = sentName(chosen.value?.name ?? '') || texts().pasted
    const came = await call(() =>
      createImport({
        body,
        query: { kind, mode: kind === 'classes' ? 'upsert' : mode.value, file_name: name },
        headers: { 'Content-Type': 'application/octet-stream' },
      }),
    )
    isSending.value = false
    if (came.is === 'failed') {
      failure.value = came.failure
      return
    }
    openForms.clear()
    goTo(`#/imports/${came.data.data.id}`)
  }

  return (
    <>
      <ImportSteps at="file" />
      <form class="form section" noValidate onSubmit={(event) => void send(event)}>
        <p>{kind === 'classes' ? texts().introClasses : texts().intro}</p>
        {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
        {kind === 'students' && (
          <fieldset class="field">
            <legend>{texts().mode}</legend>
            {modes.map((one) => (
              <div class="choice" key={one}>
                <input
                  type="radio"
                  name="mode"
                  id={`mode-${one}`}
                  checked={mode.value === one}
                  aria-describedby={`mode-${one}-hint`}
                  onChange={() => (mode.value = one)}
                />
                <span>
                  <label for={`mode-${one}`}>{texts().modes[one]}</label>{' '}
                  <span class="hint" id={`mode-${one}-hint`}>
                    {texts().modeHints[one]}
                  </span>
                </span>
              </div>
            ))}
          </fieldset>
        )}
        <div class="field">
          <label for="file">{texts().file}</label>
          <span class="hint" id="file-hint">
            {texts().fileHint}
          </span>
          {isEmpty.value && (
            <span class="fault" id="file-fault" role="alert">
              × {texts().chooseFirst}
            </span>
          )}
          <input
            id="file"
            type="file"
            accept=".csv,.tsv,.txt,.xlsx"
            aria-describedby={isEmpty.value ? 'file-hint file-fault' : 'file-hint'}
            onChange={(event) => (chosen.value = event.currentTarget.files?.[0])}
          />
          {chosen.value && (
            <p role="status">
              <bdi>{chosen.value.name}</bdi>
            </p>
          )}
        </div>
        <div class="field">
          <label for="pasted">{texts().paste}</label>
          <textarea
            id="pasted"
            dir="auto"
            spellcheck={false}
            value={pasted.value}
            onInput={(event) => (pasted.value = event.currentTarget.value)}
          />
        </div>
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isSending.value}>
            {texts().read}
          </button>
          <a href={`/api/imports/template.xlsx?kind=${kind}`} download="">
            {texts().template}
          </a>
        </div>
        <p role="status">{isSending.value && texts().sending}</p>
      </form>
    </>
  )
}
