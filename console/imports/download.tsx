import { useSignal } from '@preact/signals'
import { getImportRefused, type Import } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { code, t, textsOf } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { bytesOfCell, handFile, mostBytes } from '../parts/hand-file.ts'
import { texts } from './texts.ts'
import { nameOf } from './words.ts'

const leftOutTexts = textsOf<{ readonly file: (name: string) => string; readonly download: string }>({
  en: { file: (name) => `${name} - rows left out`, download: 'Download the rows that were left out' },
  de: {
    file: (name) => `${name} - weggelassene Zeilen`,
    download: 'Die weggelassenen Zeilen herunterladen',
  },
  ar: { file: (name) => `${name} - الأسطر المستبعدة`, download: 'تنزيل الأسطر المستبعدة' },
})

interface DownloadProps {
  readonly imported: Import
  /** Which rows it has. */
  readonly outcome?: 'refused' | 'left_out'
}

/** The refused rows as a file, to correct and to send again; its name and its column `problem` are in the reader's language. */
export function Download({ imported, outcome = 'refused' }: DownloadProps) {
  const failure = useSignal<Failure | undefined>(undefined)
  const { id, file, counts } = imported
  const isSmall = (counts?.[outcome] ?? 0) * (file.header?.length ?? 1) * bytesOfCell <= mostBytes
  const query = { language: code.value, outcome: [outcome] }
  const isRefused = outcome === 'refused'
  const called = nameOf(imported).replace(/\.[a-z]{3,4}$/i, '')
  const named = isRefused ? texts().refusedFile(called) : leftOutTexts().file(called)
  const name = `${named}.${file.format ?? 'csv'}`

  async function fetchFile(): Promise<void> {
    const came = await call<unknown>(() => getImportRefused({ path: { id }, query, parseAs: 'blob' }))
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'done') handFile(came.data as Blob, name)
  }
  return (
    <>
      <p>
        <a
          href={`/api/imports/${id}/refused?language=${code.value}&outcome=${outcome}`}
          download=""
          onClick={(event) => {
            if (!isSmall) return
            event.preventDefault()
            void fetchFile()
          }}
        >
          {isRefused ? texts().download : leftOutTexts().download}
        </a>
      </p>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} />}
    </>
  )
}
