import { useSignal } from '@preact/signals'
import { getImportRefused, type Import } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { code, t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { bytesOfCell, handFile, mostBytes } from '../parts/hand-file.ts'
import { texts } from './texts.ts'
import { nameOf } from './words.ts'

/** The refused rows as a file, to correct and to send again; its name and its column `problem` are in the reader's language. */
export function Download({ imported }: { imported: Import }) {
  const failure = useSignal<Failure | undefined>(undefined)
  const { id, file, counts } = imported
  const isSmall = (counts?.refused ?? 0) * (file.header?.length ?? 1) * bytesOfCell <= mostBytes
  const name = `${texts().refusedFile(nameOf(imported).replace(/\.[a-z]{3,4}$/i, ''))}.${file.format ?? 'csv'}`

  async function fetchFile(): Promise<void> {
    const came = await call<unknown>(() =>
      getImportRefused({ path: { id }, query: { language: code.value }, parseAs: 'blob' }),
    )
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'done') handFile(came.data as Blob, name)
  }
  return (
    <>
      <p>
        <a
          href={`/api/imports/${id}/refused?language=${code.value}`}
          download=""
          onClick={(event) => {
            if (!isSmall) return
            event.preventDefault()
            void fetchFile()
          }}
        >
          {texts().download}
        </a>
      </p>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} />}
    </>
  )
}
