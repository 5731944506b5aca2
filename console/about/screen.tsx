import { type About, getAbout, type UnsafeSetting } from '../../client/src/index.ts'
import { call, type Outcome } from '../api/calls.ts'
import { instantInWords } from '../language/dates.ts'
import { listed, locale, t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { useLoaded } from '../parts/load.ts'
import { Title } from '../parts/title.tsx'
import { school } from '../session/session.ts'
import { texts } from './texts.ts'

async function fetchAbout(): Promise<Outcome<About>> {
  const came = await call(() => getAbout())
  return came.is === 'failed' ? came : { ...came, data: came.data.data }
}

/** What administrators are told of the server. */
export function Screen() {
  const { data, failure, load } = useLoaded(fetchAbout)
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.about}>{t().screens.about}</Title>
      </div>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {data.value && (
        <div class="limited">
          <Server about={data.value} />
          <Settings found={data.value.unsafe_settings} />
        </div>
      )}
    </>
  )
}

const bytesInMegabyte = 1e6

/** A size as one reads it: 12.4 MB. */
function sizeText(bytes: number): string {
  const [size, unit] = bytes < 1e9 ? [bytes / bytesInMegabyte, 'megabyte'] : [bytes / 1e9, 'gigabyte']
  return new Intl.NumberFormat(locale.value, { style: 'unit', unit, maximumFractionDigits: 1 }).format(size)
}

function Server({ about }: { about: About }) {
  const say = texts()
  const { version, engine, engine_version, database_bytes, fault, last_backup } = about
  const rows: [label: string, value: preact.ComponentChildren][] = [
    [say.version, <bdi key="version">{version}</bdi>],
    [say.engine, <bdi key="engine">{`${say.engines[engine]} ${engine_version}`}</bdi>],
    [say.size, sizeText(database_bytes)],
    [say.health, <Health key="health" fault={fault} />],
    [
      say.lastBackup,
      last_backup === null ? (
        <>
          {say.noBackup}{' '}
          <span class="quiet">{engine === 'sqlite' ? say.noBackupSqlite : say.noBackupPostgres}</span>
        </>
      ) : (
        <time dateTime={last_backup}>{instantInWords(last_backup, school.value?.time_zone ?? 'UTC')}</time>
      ),
    ],
  ]
  return (
    <section class="section" aria-label={say.server}>
      <h2>{say.server}</h2>
      <dl class="values number">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Health({ fault }: { fault: string | null }) {
  if (fault === null) return <>{texts().well}</>
  const known: Readonly<Record<string, string>> = t().problems
  return <span class="problem">× {known[fault] ?? texts().ill}</span>
}

function Settings({ found }: { found: readonly UnsafeSetting[] }) {
  const say = texts()
  const dangers: Readonly<Record<string, string>> = say.dangers
  return (
    <section class="section" aria-label={say.settings}>
      <h2>{say.settings}</h2>
      {found.length === 0 ? <p>{say.safe}</p> : <p>{say.unsafe}</p>}
      <ul class="dangers">
        {found.map(({ code, settings, detail }) => (
          <li key={code}>
            <p>
              <span class="doubt">?</span> {dangers[code] ?? detail}
            </p>
            <p class="caption quiet">
              <bdi>{say.names(listed(settings))}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
